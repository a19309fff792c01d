// CPU milliseconds of one 10-fold cross-validation of Weka's three learners over ARFF files, after a
// first one that warms the virtual machine up.  Arguments: the files.
import java.io.BufferedReader;
import java.io.FileReader;
import java.lang.management.ManagementFactory;
import java.util.Random;
import weka.classifiers.Classifier;
import weka.classifiers.Evaluation;
import weka.core.Instances;

public class CrossValidation {
    public static void main(String[] files) throws Exception {
        for (int round = 0; round < 4; round++) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (String file : files) {
                Instances data = new Instances(new BufferedReader(new FileReader(file)));
                data.setClassIndex(data.numAttributes() - 1);
                Classifier[] learners = {
                    new weka.classifiers.bayes.NaiveBayes(),
                    new weka.classifiers.trees.J48(),
                    new weka.classifiers.lazy.IBk(),
                };
                for (Classifier learner : learners) {
                    new Evaluation(data).crossValidateModel(learner, data, 10, new Random(round));
                }
            }
            long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            if (round > 0) {
                System.out.println((end - start) / 1e6);
            }
        }
    }
}

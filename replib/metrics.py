def is_mean(t): return True
def item_scores(t): return {k:(v==t.truth).astype(float) for k,v in t.predicted.items()}
def value(t,name): return float(item_scores(t)[name].mean())
def metric_test(t,a,b): raise ValueError
def pseudo_values(t): raise ValueError

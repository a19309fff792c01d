# The book in a container: docker build -t replib-book . && docker run -p 8888:8888 replib-book
FROM python:3.11-slim
RUN useradd --create-home reader
WORKDIR /home/reader/book
COPY --chown=reader . .
RUN pip install --no-cache-dir --require-hashes -r requirements-course.txt \
 && pip install --no-cache-dir --no-deps --no-build-isolation --editable . --editable ./book
USER reader
EXPOSE 8888
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser", "--LabApp.default_url=/lab/tree/notebooks"]

# The book in a container: docker build -t replib-book . && docker run -p 8888:8888 replib-book
FROM python:3.11-slim
# The folder is the user's, who builds in it; WORKDIR alone would give it to root.
RUN useradd --create-home reader \
 && install --directory --owner=reader --group=reader /home/reader/book
WORKDIR /home/reader/book
# The packages first: a change of the book alone does not install them again.
COPY requirements*.txt ./
RUN pip install --no-cache-dir --require-hashes -r requirements-course.txt
COPY --chown=reader:reader . .
RUN pip install --no-cache-dir --no-deps --no-build-isolation --editable . --editable ./book
USER reader
EXPOSE 8888
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser", "--LabApp.default_url=/lab/tree/notebooks"]

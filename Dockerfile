# The served book and JupyterLab in a container, for this machine only:
#   docker build -t replib-book . && docker run -p 127.0.0.1:8888:8888 replib-book
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
RUN jupyter server extension enable --system companion.engine.serve.in_jupyter
USER reader
RUN python -m replib build --preset quick
EXPOSE 8888
# Jupyter asks for its token, and lets into the book, at /replib/, who has it.
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser", "--LabApp.default_url=/replib/"]

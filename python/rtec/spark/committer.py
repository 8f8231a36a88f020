"""Files that workers have written come to count together, or not at all: the driver's half.

Hadoop's `FileOutputCommitter` does it, which Spark's own commit protocol leaves it to as well. (The
protocol itself can only be asked by tasks that run in Java.) Each attempt at a task writes into a
folder of its own:

    OUTPUT/_temporary/0/_temporary/attempt_JOB_0000_m_TASK_ATTEMPT/part-TASK-JOB.parquet

When all work is done, the attempts are committed that Spark's result names, and then the job: that
moves their files to OUTPUT, deletes `_temporary`, and makes `_SUCCESS` last. What is to be replaced
is put aside before, into `OUTPUT/_replaced_JOB`, and deleted after.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JJavaError

from rtec.runtime.outputs import output_exists, unwritable
from rtec.spark.written import AnswerFile, Folder, attempt_name, writing


@contextmanager
def committed(spark: Any, output: str, overwrite: bool) -> Iterator[tuple[Folder, list[str]]]:
    """Let workers write for a folder; at the end commit the attempts that are put into the list.

    After an error everything is as it was before, and what is to be replaced goes only when all
    work is done.

    Raises:
        ConfigError: The folder exists, and is not to be replaced; or it cannot be written.
    """
    with _writing(output):
        commit = _Commit(spark, output)
        is_new = _made(output)
    if not (is_new or overwrite):
        raise output_exists(output)
    attempts: list[str] = []
    try:
        with _writing(output):
            folder = commit.begin()
        yield folder, attempts
        with _writing(output):
            if not attempts:  # a folder that can be read, with the columns of answers
                attempts.append(AnswerFile(folder, 0).finish()["attempt"][0].as_py())
            commit.finish(attempts)
    except BaseException:
        commit.undo()
        if is_new:
            with suppress(OSError):  # not if somebody else has put something there
                os.rmdir(output)
        raise


class _Commit:
    """One job, as Hadoop sees it."""

    def __init__(self, spark: Any, output: str) -> None:
        """Take Hadoop's settings from Spark; nothing is written yet."""
        hadoop = spark._jvm.org.apache.hadoop
        self._state = hadoop.mapreduce.JobStatus.State
        self._attempt_id = hadoop.mapreduce.TaskAttemptID
        self._attempt_context = hadoop.mapreduce.task.TaskAttemptContextImpl
        self._name = str(uuid.uuid4())
        self._output = Path(output)
        self._temporary = self._output / "_temporary"
        self._replaced = self._output / f"_replaced_{self._name}"
        self._is_aside = self._is_done = False
        settings = spark._jsparkSession.sessionState().newHadoopConf()
        self._job = hadoop.mapreduce.task.JobContextImpl(
            settings, hadoop.mapreduce.JobID(self._name, 0)
        )
        # With "file", since another file system may be the default.
        self._committer = hadoop.mapreduce.lib.output.FileOutputCommitter(
            hadoop.fs.Path("file", None, output), self._job
        )

    def begin(self) -> Folder:
        """Make the folders that attempts will make their own in."""
        # A job that was killed may have left attempts that it had committed: they are not ours.
        shutil.rmtree(self._temporary, ignore_errors=True)
        example = self._context(attempt_name(self._name, 0))
        path = self._committer.getTaskAttemptPath(example)
        attempts, asides = path.getParent().toUri().getPath(), self._temporary / "asides"
        os.makedirs(attempts)  # Java would not say why it cannot
        asides.mkdir()  # committing and giving up delete it with the rest
        self._committer.setupJob(self._job)
        return Folder(attempts, self._name, str(asides))

    def finish(self, attempts: Sequence[str]) -> None:
        """Replace what is in the folder by the files of these attempts."""
        contexts = [self._context(attempt) for attempt in attempts]
        for attempt, context in zip(attempts, contexts, strict=True):
            if not self._committer.needsTaskCommit(context):
                raise FileNotFoundError(f"the files of {attempt} are gone")
        # Now, since Hadoop's second algorithm moves files as soon as an attempt is committed.
        self._put_aside()
        for context in contexts:
            self._committer.commitTask(context)
        self._committer.commitJob(self._job)
        self._is_done = True
        for folder in (self._replaced, self._temporary):  # Hadoop may be told to leave the latter
            shutil.rmtree(folder, ignore_errors=True)

    def undo(self) -> None:
        """Delete what this job has written, unless it was all done."""
        with suppress(Exception):  # what went wrong before is to be seen; Java may be gone
            self._committer.abortJob(self._job, self._state.FAILED)
        shutil.rmtree(self._temporary, ignore_errors=True)
        # Java may have done it all without anybody having heard of it.
        is_marked = self._is_aside and (self._output / "_SUCCESS").is_file()
        if not (self._is_done or is_marked):
            for file in self._output.glob(f"part-*-{self._name}.parquet"):
                file.unlink(missing_ok=True)
            self._bring_back()

    def _context(self, attempt: str) -> Any:
        return self._attempt_context(
            self._job.getConfiguration(), self._attempt_id.forName(attempt)
        )

    def _put_aside(self) -> None:
        old = [path for path in self._output.iterdir() if path != self._temporary]
        if old:
            self._replaced.mkdir()
        for path in old:
            path.rename(self._replaced / path.name)
        self._is_aside = True

    def _bring_back(self) -> None:
        if self._replaced.is_dir():
            for path in self._replaced.iterdir():
                with suppress(OSError):  # something else has its name: it stays where it is
                    path.rename(self._output / path.name)
            with suppress(OSError):
                self._replaced.rmdir()


def _made(folder: str) -> bool:
    """Make a folder; False if it is there already, also if somebody else makes it just now."""
    try:
        Path(folder).mkdir(parents=True)
    except FileExistsError:
        return False
    return True


@contextmanager
def _writing(output: str) -> Iterator[None]:
    """Say in one line why something cannot be written, whether Python or Java has found out."""
    try:
        with writing(Path(output)):
            yield
    except Py4JJavaError as error:
        raise unwritable(output, OSError(error.java_exception.getMessage())) from None

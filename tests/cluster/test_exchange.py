"""What tasks of a cluster are told: all that is new to their worker, within limits."""

from __future__ import annotations

from ostrya._cluster import exchange
from ostrya._cluster.exchange import Exchange
from ostrya._cluster.task import Step, Task
from ostrya._solve.limits import Limits

ROOT = ()
BELOW = (Step(0, 0.5, True),)


def told(news, worker, path=ROOT, n_threads=2):
    task = Task(path, Limits(), 10, 0, 1.0)
    return news.informed(task, worker, n_threads).told


def test_a_worker_hears_of_everything_once():
    news = Exchange()
    assert told(news, 0) == ()
    news.put(ROOT, b"a")
    news.put(ROOT, b"b")
    assert told(news, 0) == (b"a", b"b")
    assert told(news, 0) == ()
    news.put(ROOT, b"c")
    assert told(news, 0) == (b"c",)
    assert told(news, 1) == (b"a", b"b", b"c")


def test_a_worker_hears_of_the_subproblem_of_its_task_alone():
    news = Exchange()
    news.put(ROOT, b"a")
    news.put(BELOW, b"b")
    assert told(news, 0, BELOW) == (b"b",)
    assert told(news, 0, ROOT) == (b"a",)


def test_where_there_is_one_thread_nothing_is_told():
    news = Exchange()
    news.put(ROOT, b"a")
    task = Task(ROOT, Limits(), 10, 0, 1.0)
    assert news.informed(task, 0, 1) is task


def test_the_latest_news_come_where_all_would_be_too_much(monkeypatch):
    monkeypatch.setattr(exchange, "LEAST_SENT", 0)
    monkeypatch.setattr(exchange, "MOST_SENT", 8)
    news = Exchange()
    for each in (b"aa", b"bbb", b"cc"):
        news.put(ROOT, each)
    assert told(news, 0, n_threads=2) == (b"aa", b"cc")
    assert told(news, 1, n_threads=4) == (b"cc",)


def test_old_news_are_dropped(monkeypatch):
    monkeypatch.setattr(exchange, "MOST_KEPT", 4)
    news = Exchange()
    for each in (b"aa", b"bb", b"cc"):
        news.put(ROOT, each)
    assert told(news, 0) == (b"bb", b"cc")


def test_the_more_workers_the_less_each_tells():
    news = Exchange()
    task = Task(ROOT, Limits(), 10, 0, 1.0)
    some, many = (news.informed(task, 0, n).most_told_bytes for n in (2, 256))
    assert 0 < many < some

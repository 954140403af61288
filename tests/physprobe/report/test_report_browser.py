"""The page in a real browser: headless Chromium, from disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

_CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
_SIZES = {"desktop": (1440, 900), "phone": (390, 844)}

pytestmark = pytest.mark.skipif(_CHROMIUM is None, reason="no chromium on the PATH: apt-get install chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=_CHROMIUM, args=_FLAGS, timeout=180_000)
        yield started
        started.close()


@contextmanager
def opened(browser: Any, made: Any, size: str, scheme: str = "light") -> Iterator[Any]:
    """Open a report; when done, check that it neither complained nor asked for anything but its own files."""
    width, height = _SIZES[size]
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.set_default_timeout(120_000)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(f"dialog: {dialog.message}"))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((made.folder / "index.html").as_uri())
    yield page
    page.close()
    assert said == []
    assert all(url.startswith((made.folder.as_uri(), "data:")) for url in asked)


def shown_keys(page: Any) -> list[str]:
    return page.locator(".item header code").all_inner_texts()


@pytest.mark.parametrize("size", list(_SIZES))
def test_nothing_is_wider_than_the_screen_and_examples_can_be_filtered(browser, study, size):
    with opened(browser, study, size) as page:
        page.locator(".examples").scroll_into_view_if_needed()
        page.wait_for_selector(".item")
        first = shown_keys(page)
        page.select_option(".examples select[name=domain]", "volume")
        page.wait_for_function(
            "before => document.querySelector('.item code').textContent !== before", arg=first[0]
        )
        assert all(key.startswith("volume_") for key in shown_keys(page))
        page.select_option(".examples select[name=answer]", "wrong")
        page.select_option(".examples select[name=model]", index=1)
        page.wait_for_function("document.querySelectorAll('.item .w').length === 6")
        assert page.locator(".item .r").count() == 0
        page.get_by_role("button", name="Next").click()
        page.wait_for_function("document.querySelector('.examples output').textContent.startsWith('7 to 12')")
        page.evaluate("document.querySelectorAll('details.table').forEach((each) => { each.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_numbers_tell_their_origin_and_tables_can_be_sorted(browser, study):
    with opened(browser, study, "desktop", "dark") as page:
        board = page.locator("#conservation-leaderboard table").first
        board.locator("tbody td.num[data-t]").first.hover()
        tip = page.locator("#tip").inner_text()
        for part in ("strict pair", "n = 384", "bootstrap over pairs", "leaderboard.leaderboard", ".parquet"):
            assert part in tip
        best = board.locator("tbody td.name").first.inner_text()
        board.get_by_role("button", name="strict pair").click()
        board.get_by_role("button", name="strict pair").click()
        assert board.locator("tbody td.name").last.inner_text() == best
        page.mouse.move(1, 1)
        board.locator("td.num[tabindex='0']").first.focus()
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.matches('td.num')")
        assert "rank" in page.locator("#tip").inner_text()
        background = "getComputedStyle(document.body).backgroundColor"
        dark = page.evaluate(background)
        page.get_by_role("button", name="Light / dark").click()
        assert page.evaluate(background) != dark


def test_rows_can_be_filtered(browser, study):
    with opened(browser, study, "desktop") as page:
        page.evaluate("document.querySelectorAll('details.table').forEach((each) => { each.open = true; })")
        table = page.locator("#conservation-domains details").nth(1)
        table.locator("input").fill("volume")
        assert table.locator("tbody tr:visible").count() == 4
        assert table.locator("output").inner_text() == "4 of 16 rows"


def test_hostile_names_and_answers_do_nothing(browser, lone):
    with opened(browser, lone, "phone") as page:
        page.locator(".examples").scroll_into_view_if_needed()
        page.wait_for_selector(".item")
        assert page.locator(".item script, .item img").count() == 0
        assert "onerror=alert(1)" in page.locator(".item q").nth(2).inner_text()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

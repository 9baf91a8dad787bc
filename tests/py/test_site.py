# SPDX-License-Identifier: Apache-2.0
"""The site in a browser, as files without a server: nothing is cut off in narrow or wide windows, and the search finds pages."""

import shutil
import subprocess
import sys
import time

import kingpost
import kingpost.testing
import pytest
from harness import Command
from harness.browser import Browser, chromium_or_skip
from harness.commands import REPOSITORY
from harness.pages import DOCS, pages
from harness.patience import patience

GENERATOR = REPOSITORY / "build" / "docs" / "venv" / "bin" / "python"
# The elements that are wider than the window, except inside of elements that scroll.
WIDER = """(() => {
  const inScroller = e => { for (let at = e.parentElement; at; at = at.parentElement)
    if (["auto", "scroll", "hidden"].includes(getComputedStyle(at).overflowX) && at !== document.body) return true; };
  const wide = [...document.querySelectorAll("article *")].filter(e => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.right > innerWidth + 1 && !inScroller(e); });
  return wide.slice(0, 3).map(e => e.tagName + ": " + e.textContent.trim().slice(0, 60))
    .concat(document.documentElement.scrollWidth > innerWidth + 1 ? ["the page: " + document.documentElement.scrollWidth] : []);
})()"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site as ./dev docs builds it, in a folder of its own."""
    if not GENERATOR.exists():
        pytest.skip("the generator of the site is not installed: ./dev docs installs it")
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(DOCS, folder / "pages", ignore=shutil.ignore_patterns("site"))
    subprocess.run([sys.executable, DOCS / "site" / "generate.py", Command.kingpost().path, folder / "pages", folder / "man"],
                   check=True, capture_output=True)
    (folder / "python").symlink_to(REPOSITORY / "python")
    (folder / "docs").symlink_to(DOCS)
    (folder / "mkdocs.yml").write_text(
        f"INHERIT: {REPOSITORY / 'mkdocs.yml'}\ndocs_dir: {folder / 'pages'}\nsite_dir: {folder / 'site'}\n")
    done = subprocess.run([GENERATOR, "-m", "mkdocs", "build", "--quiet", "-f", folder / "mkdocs.yml"], text=True,
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr  # a link that leads nowhere, or a page outside the navigation
    return folder / "site"


def test_no_page_is_wider_than_its_window(site, tmp_path):
    built = sorted(path for path in site.rglob("*.html") if path.name != "404.html")
    assert len(built) > len(pages())  # and those that are generated
    with Browser(chromium_or_skip(), tmp_path / "profile", 1300, 900) as browser:
        wrong = {}
        for page in built:
            browser.open(page)
            for width in (1300, 400):
                browser.resize(width, 900)
                if found := browser.script(WIDER):
                    wrong[f"{page.relative_to(site)} at {width} pixels"] = found
            browser.resize(1300, 900)
            assert browser.script("document.querySelectorAll('article h1').length") == 1, page
            missing = browser.script("[...document.images].filter(i => !i.naturalWidth).map(i => i.src)")
            assert missing == [], page
        assert wrong == {}
        assert all(address.startswith(("file:", "data:", "about:")) for address in browser.requests)
        assert browser.errors == []


def test_the_search_works_without_a_server(site, tmp_path):
    with Browser(chromium_or_skip(), tmp_path / "profile", 1300, 900) as browser:
        browser.open(site / "index.html")
        browser.click(".md-search__input")
        browser.type("rollback")
        end = time.monotonic() + patience(30)
        while not (found := browser.script("[...document.querySelectorAll('.md-search-result__link')].map(a => a.href)")):
            assert time.monotonic() < end, "the search finds nothing"
            time.sleep(0.1)
        assert any("guide/day-two.html" in address for address in found)


def test_the_python_reference_has_every_name():
    page = (DOCS / "reference" / "python.md").read_text()
    for name in set(kingpost.__all__) - {"__version__", "UNKNOWN"}:
        assert f"\n::: kingpost.{name}\n" in page
    for name in kingpost.testing.__all__:
        assert f"\n::: kingpost.testing.{name}\n" in page
    assert "`kingpost.UNKNOWN`" in page


def test_the_front_page_sets_a_backend_before_it_needs_one():
    page = (DOCS / "index.md").read_text()
    assert page.index("PULUMI_BACKEND_URL") < page.index("\nkingpost ")

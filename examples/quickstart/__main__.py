# SPDX-License-Identifier: Apache-2.0
"""A small library: its books in SQLite, a page for each, a front page, an admin password, and the server."""

import html

import pulumi

from resources import Database, Page, Password, Server

BOOKS = [
    {"title": "The Secret Agent", "author": "Joseph Conrad", "year": "1907"},
    {"title": "To the Lighthouse", "author": "Virginia Woolf", "year": "1927"},
    {"title": "Typee", "author": "Herman Melville", "year": "1846"},
]

config = pulumi.Config()
title = config.get("title") or "The Harbour Library"
folder = config.get("folder") or "deployed"


def page(heading: str, body: str) -> str:
    return (f"<!doctype html><meta charset=utf-8><title>{html.escape(heading)}</title>\n"
            f"<h1>{html.escape(heading)}</h1>\n{body}\n")


class Site(pulumi.ComponentResource):
    """The pages of the library, one for each book and one that lists them."""

    def __init__(self, name: str, books: list, count: pulumi.Output[int]):
        super().__init__("library:index:Site", name)
        below = pulumi.ResourceOptions(parent=self)
        links = []
        for book in books:
            slug = book["title"].lower().replace(" ", "-")
            text = page(book["title"], f"<p>{html.escape(book['author'])}, {book['year']}</p>")
            Page(slug, f"{folder}/public/{slug}.html", text, below)
            links.append(f'<li><a href="{slug}.html">{html.escape(book["title"])}</a>')
        body = count.apply(lambda n: page(title, f"<p>{n} books</p>\n<ul>\n" + "\n".join(links) + "\n</ul>"))
        self.front = Page("front", f"{folder}/public/index.html", body, below)
        self.register_outputs({"front": self.front.path})


database = Database("books", f"{folder}/library.db", "books", ["title", "author", "year"], BOOKS)
password = Password("admin", length=20)
site = Site("site", BOOKS, database.count)
server = Server("web", f"{folder}/public", database.path, password.value, "site_server.py",
                opts=pulumi.ResourceOptions(depends_on=[site]))

pulumi.export("url", server.url)
pulumi.export("books", database.count)
pulumi.export("front_page_sha256", site.front.sha256)
pulumi.export("admin_password", password.value)

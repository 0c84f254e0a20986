# SPDX-License-Identifier: Apache-2.0
#
# Elements are closed in order, nothing is loaded from elsewhere, and no text of a run is markup.
import html.parser, json, re, sys
VOID = {"meta", "link", "input", "br"}

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.text, self.tags, self.ids = [], {}, [], []
    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for key, value in attributes:
            assert not key.startswith("on"), f"<{tag} {key}>"
            if key == "id":
                self.ids.append(value)
            if key in ("src", "href", "xlink:href", "srcset", "action", "data", "poster"):
                assert value.startswith(("#", "data:")), f"<{tag} {key}={value}>"
            if key == "style" or key in ("fill", "filter", "clip-path"):
                assert not re.search(r"url\((?!#)", value), value
        if tag not in VOID:
            self.open.append(tag)
    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)
    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open and self.open[-1] == tag, f"</{tag}> in {self.open[-3:]} at {self.getpos()}"
            self.open.pop()
    def handle_data(self, data):
        key = self.open[-1] if self.open else ""
        self.text[key] = self.text.get(key, "") + data

text = open(sys.argv[1], encoding="utf-8").read()
page = Page()
page.feed(text)
page.close()
assert not page.open, page.open
assert not {"img", "iframe", "object", "embed", "b"} & set(page.tags)
twice = {i for i in page.ids if page.ids.count(i) > 1}
assert not twice, sorted(twice)[:5]
assert page.tags.count("script") == 4 and page.tags.count("style") == 1 and page.tags.count("link") == 1
assert not re.search(r"@import|url\(|https?://", page.text["style"])
assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|fetch\(|XMLHttp|import ", page.text["script"])
data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])
rows = sum(max(1, len(c[5])) for c in data["cases"])
print("runs", len(data["runs"]), "cases", len(data["cases"]), "rows", rows, "figures", page.tags.count("figure"), "tables", page.tags.count("table"))
print("pairs", len(data["pairs"]), "compared", sum(len(p[2]) for p in data["pairs"]))
print(page.text.get("td", ""))

// Examples: an index to filter by, and chunks of items that are loaded when they are shown.
const panels = new Map();
const PAGE = 6;
const VERDICTS = { r: "right", w: "wrong", u: "unread" };
const MARKS = { r: "✓", w: "✗", u: "?", "-": "·" };

const load = (source) => new Promise((resolve, reject) => {
  const script = make("script", { src: source, onload: resolve, onerror: () => reject(new Error(source)) });
  document.head.append(script);
});

class Panel {
  constructor(root) {
    this.root = root;
    this.folder = `examples/${root.dataset.part}`;
    this.chunks = new Map();
    this.page = 0;
    this.list = find(".items", root);
    this.said = find("output", root);
    all(".pager button", root).forEach((button) => button.addEventListener("click", () => this.turn(Number(button.dataset.step))));
  }

  async open() {
    if (this.opened) return;
    this.opened = true;
    try {
      await load(`${this.folder}/index.js`);
    } catch {
      this.said.textContent = `The items are not here: keep the folder ${this.folder}/ beside this page.`;
      return;
    }
    const { facets, models, notes } = this.index;
    find(".notes", this.root).replaceChildren(...notes.map((note) => make("p", { className: "note" }, note)));
    const filters = find(".filters", this.root);
    facets.filter((facet) => facet.levels.length > 1).forEach((facet) => filters.append(this.select(facet.name, facet.levels)));
    const given = Object.keys(VERDICTS).filter((code) => this.index.verdicts.some((told) => told.includes(code)));
    filters.append(this.select("model", models, "any"), this.select("answer", given.map((code) => VERDICTS[code]), "any"));
    filters.addEventListener("change", () => this.filter());
    this.filter();
  }

  select(name, levels, every = "all") {
    const options = [make("option", { value: "" }, every), ...levels.map((level) => make("option", { value: level }, level))];
    return make("label", {}, name, make("select", { name }, ...options));
  }

  filter() {
    const chosen = Object.fromEntries(all("select", this.root).map((select) => [select.name, select.value]));
    const { facets, models, verdicts, count } = this.index;
    const wanted = facets.filter((facet) => chosen[facet.name])
      .map((facet) => [facet.codes, String.fromCharCode(48 + facet.levels.indexOf(chosen[facet.name]))]);
    const asked = chosen.model ? [verdicts[models.indexOf(chosen.model)]] : verdicts;
    const verdict = Object.keys(VERDICTS).find((code) => VERDICTS[code] === chosen.answer);
    const answered = (told, k) => (verdict ? told[k] === verdict : told[k] !== " ");
    this.hits = [];
    for (let k = 0; k < count; k += 1) {
      if (wanted.every(([codes, code]) => codes[k] === code) && asked.some((told) => answered(told, k))) this.hits.push(k);
    }
    this.model = chosen.model;
    this.page = 0;
    this.show();
  }

  turn(step) {
    this.page += step;
    this.show();
    this.root.scrollIntoView();
  }

  async item(k) {
    const number = Math.floor(k / this.index.chunk);
    if (!this.chunks.has(number)) {
      const name = String(number).padStart(4, "0");
      this.chunks.set(number, new Promise((resolve, reject) => {
        this.waiting = { ...this.waiting, [number]: resolve };
        load(`${this.folder}/${name}.js`).catch(reject);
      }));
    }
    return (await this.chunks.get(number))[k % this.index.chunk];
  }

  async show() {
    const first = this.page * PAGE, here = this.hits.slice(first, first + PAGE);
    const run = (this.run = (this.run ?? 0) + 1);
    const items = await Promise.all(here.map((k) => this.item(k)));
    if (run !== this.run) return; // another choice was made meanwhile
    this.said.textContent = here.length
      ? `${(first + 1).toLocaleString("en")} to ${(first + here.length).toLocaleString("en")} of ${this.hits.length.toLocaleString("en")} questions`
      : "No question fits these choices.";
    const [back, on] = all(".pager button", this.root);
    back.disabled = first === 0;
    on.disabled = first + PAGE >= this.hits.length;
    this.list.replaceChildren(...items.map((item) => this.card(item)));
  }

  card(item) {
    const facets = Object.entries(item.facets).map(([, level]) => level).join(" · ");
    const card = make("article", { className: "item" }, make("header", {}, make("code", {}, item.key), make("small", {}, facets)));
    if (item.pictures.length && this.index.pictures) card.append(this.film(item.pictures));
    const prompt = make("div", {},
      make("p", { className: "prompt" }, item.prompt || "The prompt is not part of these results."),
      make("p", { className: "truth" }, "Truth: ", make("b", {}, item.truth)));
    const told = item.answers.filter(([model]) => !this.model || model === this.model);
    card.append(make("div", { className: "asked" }, prompt, make("ul", { className: "answers" }, ...told.map(answer))));
    return card;
  }

  film(pictures) {
    return make("div", { className: "film" }, ...pictures.map((picture) => {
      const button = make("button", { type: "button" }, this.shot(picture), make("small", {}, picture.caption));
      button.addEventListener("click", () => this.enlarge(picture));
      return button;
    }));
  }

  shot(picture) {
    const image = make("img", { src: `${this.folder}/pictures/${encodeURIComponent(picture.name)}.jpg`, alt: picture.caption, loading: "lazy" });
    image.addEventListener("error", () => image.remove());
    const boxes = picture.boxes.map(([label, x0, y0, x1, y1, truth], k) => {
      const name = make("span", {}, label);
      name.style.top = `${1.4 * k}em`; // boxes may lie on each other, their names not
      const box = make("u", { className: truth ? "true" : "" }, name);
      Object.assign(box.style, { left: `${100 * x0}%`, top: `${100 * y0}%`, width: `${100 * (x1 - x0)}%`, height: `${100 * (y1 - y0)}%` });
      return box;
    });
    return make("span", { className: "shot" }, image, ...boxes);
  }

  enlarge(picture) {
    const dialog = find("dialog");
    dialog.replaceChildren(this.shot(picture), make("p", {}, picture.caption));
    dialog.showModal();
  }
}

const answer = ([model, raw, parsed, right, score]) => {
  const code = !parsed ? "u" : right === null ? "-" : right ? "r" : "w";
  const words = make("div", {}, make("b", {}, model), " ", parsed || "unread", " ", make("small", {}, score));
  if (raw !== null && raw !== undefined) words.append(make("q", {}, raw || "(empty)"));
  const mark = make("span", { className: "mark" }, MARKS[code]);
  mark.setAttribute("aria-label", VERDICTS[code] ?? "");
  return make("li", { className: code }, mark, words);
};

window.physprobe = {
  index: (part, index) => { panels.get(part).index = index; },
  chunk: (part, number, items) => { panels.get(part).waiting[number](items); },
};
find("dialog").addEventListener("click", () => find("dialog").close());
const near = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) panels.get(entry.target.dataset.part).open();
}, { rootMargin: "600px" });
for (const root of all(".examples")) {
  panels.set(root.dataset.part, new Panel(root));
  near.observe(root);
}

"use strict";
const find = (selector, inside = document) => inside.querySelector(selector);
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in element) element[key] = value; else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
};
const known = JSON.parse(find("#data").textContent);

// Theme: what the system says, until the reader chooses.
find("#theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("physprobe-theme", root.dataset.theme); } catch { /* as above */ }
});

// Contents: folded on narrow screens; the section in view is marked.
const contents = find(".contents details");
const narrow = matchMedia("(max-width: 60rem)");
const fold = () => { contents.open = !narrow.matches; };
fold();
narrow.addEventListener("change", fold);
contents.addEventListener("click", (event) => { if (narrow.matches && event.target.closest("a")) contents.open = false; });
const links = new Map(all(".contents a").map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    links.forEach((link, anchor) => link.classList.toggle("here", anchor === entry.target.id));
  }
}, { rootMargin: "-15% 0px -75% 0px" });
all("section[id]").forEach((section) => seen.observe(section));

// Origin of numbers: pointed at, focused, or tapped.
const tip = find("#tip");
const showTip = (target, lines) => {
  tip.replaceChildren(...lines.map((line, k) => make(k ? "div" : "b", {}, line)));
  tip.hidden = false;
  const place = target.getBoundingClientRect(), box = tip.getBoundingClientRect();
  const left = Math.min(Math.max(8, place.left + place.width / 2 - box.width / 2), innerWidth - box.width - 8);
  const above = place.top - box.height - 8;
  tip.style.left = `${left}px`;
  tip.style.top = `${above > 60 ? above : Math.min(place.bottom + 8, innerHeight - box.height - 8)}px`;
};
const hideTip = () => { tip.hidden = true; };
const filesOf = (table, model) => {
  const files = known[table.dataset.part]?.files ?? {};
  if (files[model]) return files[model];
  const every = [...new Set(Object.values(files).flat())];
  return every.length > 2 ? [`${every.length} files of answers, listed under Runs`] : every;
};
const origin = (cell) => {
  const table = cell.closest("table"), row = cell.parentElement;
  const head = table.tHead.rows[0].cells[cell.cellIndex];
  const metric = head.dataset.metric;
  const files = filesOf(table, row.dataset.model);
  const lines = [`${metric}: ${cell.dataset.t || cell.textContent.trim()}`];
  if (head.dataset.meaning) lines.push(head.dataset.meaning);
  if (row.dataset.n) lines.push(`n = ${row.dataset.n} (${table.dataset.counts})`);
  if (head.dataset.interval !== undefined) lines.push(`interval: ${table.dataset.interval}`);
  lines.push(`made by ${table.dataset.function}`);
  lines.push(`from ${files.slice(0, 3).join(", ")}${files.length > 3 ? ` and ${files.length - 3} more` : ""}`);
  return lines;
};
const explain = (event) => {
  const target = event.target.closest?.("td.num, .tip");
  if (!target) { if (event.type !== "focusin") hideTip(); return; }
  showTip(target, target.matches("td") ? origin(target) : [target.dataset.tip]);
};
["pointerover", "focusin", "click"].forEach((name) => document.addEventListener(name, explain));
document.addEventListener("scroll", hideTip, { capture: true, passive: true });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
document.addEventListener("focusout", hideTip);

// Tables: sorted by a click on a heading, filtered by text; arrow keys walk through the cells.
const sortBy = (table, column, head) => {
  const down = head.getAttribute("aria-sort") === "descending" || (!head.hasAttribute("aria-sort") && !head.classList.contains("num"));
  const sign = down ? 1 : -1;
  const numeric = head.classList.contains("num");
  const value = (row) => {
    const cell = row.cells[column];
    return numeric ? (cell.dataset.v === "" ? null : Number(cell.dataset.v)) : cell.textContent.trim();
  };
  const compare = (a, b) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (numeric ? a - b : a.localeCompare(b, undefined, { numeric: true }));
  };
  const rows = [...table.tBodies[0].rows].map((row) => [value(row), row]);
  rows.sort((a, b) => compare(a[0], b[0]));
  table.tBodies[0].append(...rows.map(([, row]) => row));
  [...head.parentElement.cells].forEach((each) => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "ascending" : "descending");
};
const filterRows = (input) => {
  const rows = [...input.closest("details").querySelectorAll("tbody tr")];
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    shown += !row.hidden;
  }
  input.closest(".tools").querySelector("output").textContent = `${shown} of ${rows.length} rows`;
};
const walk = (event) => {
  const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
  const cell = event.target.closest?.("td[tabindex]");
  if (!step || !cell) return;
  let row = cell.parentElement, column = cell.cellIndex + step[1];
  if (step[0]) do row = step[0] > 0 ? row.nextElementSibling : row.previousElementSibling; while (row?.hidden);
  while (row?.cells[column] && !row.cells[column].classList.contains("num")) {
    if (step[0]) return;
    column += step[1];
  }
  const next = row?.cells[column];
  if (!next) return;
  event.preventDefault();
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
};
document.addEventListener("keydown", walk);
for (const table of all("table[data-function]")) {
  find("td.num", table)?.setAttribute("tabindex", "0");
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    find("button", head)?.addEventListener("click", () => sortBy(table, column, head));
  });
}
all(".tools input").forEach((input) => input.addEventListener("input", () => filterRows(input)));

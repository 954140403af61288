// Before anything is drawn: the theme chosen last time, if this browser keeps it.
(() => {
  try {
    const kept = localStorage.getItem("physprobe-theme");
    if (kept) document.documentElement.dataset.theme = kept;
  } catch { /* a browser may keep nothing for files */ }
})();

// Runs before the page is painted, so that a chosen theme never flashes in the other one.
try {
  const theme = JSON.parse(localStorage.getItem("nought.theme"));
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  /* no storage: as the device */
}

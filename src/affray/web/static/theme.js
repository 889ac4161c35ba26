// Runs before the first paint: the theme and the motion that somebody chose on this device.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem("affray.theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    if (localStorage.getItem("affray.motion") === "off") root.dataset.motion = "off";
  } catch { /* storage is closed: the system's choice stands */ }
})();

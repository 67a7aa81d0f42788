// Applies the stored theme. Without one, the system's theme applies.
const theme = localStorage.getItem("theme")
if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme

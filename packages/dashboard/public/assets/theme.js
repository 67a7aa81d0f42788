// The theme the person chose; without a choice, the system's.
const theme = localStorage.getItem("theme")
if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme

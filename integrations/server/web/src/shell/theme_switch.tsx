// Light, dark, or as the system has it.

import { useTheme, type Theme } from "./theme.tsx";

const THEMES: { theme: Theme; title: string }[] = [
  { theme: "system", title: "System" },
  { theme: "light", title: "Light" },
  { theme: "dark", title: "Dark" },
];

export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  return (
    <label className="theme">
      <span className="visually-hidden">Colours</span>
      <select value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
        {THEMES.map(({ theme, title }) => (
          <option key={theme} value={theme}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The typeface of pages and charts (styles/font.css). */
export const FONT_FAMILY = '"Inter Variable", "Inter fallback", system-ui, sans-serif';

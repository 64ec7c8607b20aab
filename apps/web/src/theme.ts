import { FONT_FAMILY } from '@heterosis/charts/font';
import {
  type ButtonProps,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type MantineTheme,
} from '@mantine/core';

/** Leaf green. 8 is the accent on white (#2b7a4b, 5.3:1), 4 the accent on dark grounds (#5cc48a, 8:1). */
const leaf: MantineColorsTuple = [
  '#eef8f2',
  '#d9efe2',
  '#b3dfc6',
  '#87d0a8',
  '#5cc48a',
  '#41a86f',
  '#37955f',
  '#318754',
  '#2b7a4b',
  '#1f5c38',
];

/** Neutral. 6 is the colour of secondary text on white: 6:1. */
const gray: MantineColorsTuple = [
  '#fafafa',
  '#f4f4f3',
  '#ebebea',
  '#dededc',
  '#c8c8c5',
  '#757572',
  '#5f5f5c',
  '#474745',
  '#2f2f2d',
  '#1d1d1c',
];

/** Neutral. 7 is the page, 6 what lies on it, 4 the borders, 2 secondary text. */
const dark: MantineColorsTuple = [
  '#dcdcda',
  '#c3c3c0',
  '#a3a3a0',
  '#82827f',
  '#3d3d3b',
  '#343432',
  '#272726',
  '#1a1a19',
  '#141413',
  '#0e0e0d',
];

/** 6 and 8 are text and fills on white (6.6:1), 4 on dark grounds (8:1). */
const red: MantineColorsTuple = [
  '#fdf2f1',
  '#fbe0dd',
  '#f5bdb7',
  '#f1a29a',
  '#f28b82',
  '#dc5449',
  '#b42318',
  '#a31f15',
  '#b42318',
  '#7a1810',
];

export const theme = createTheme({
  colors: { leaf, gray, dark, red },
  primaryColor: 'leaf',
  primaryShade: { light: 8, dark: 4 },
  // In dark the fills are light, whatever their colour, so the text on them is dark (global.css).
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input);
    return input.variant === 'filled' ? { ...resolved, color: 'var(--hx-on-fill)' } : resolved;
  },
  white: '#ffffff',
  black: '#1d1d1c',
  fontFamily: FONT_FAMILY,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '6px', xl: '6px' },
  defaultRadius: 'md',
  // Weight is for titles and the primary action; labels, tabs and other buttons are a little stronger than text.
  fontWeights: { medium: '500' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h4: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  shadows: { xs: 'none', sm: 'none', md: 'none', lg: 'none', xl: 'none' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: {
      defaultProps: { size: 'sm' },
      styles: (_: MantineTheme, { variant = 'filled' }: ButtonProps) =>
        variant === 'filled' ? { label: { fontWeight: 600 } } : {},
    },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false, events: { hover: true, focus: true, touch: false } } },
    Modal: {
      styles: { title: { fontWeight: 600 } },
      defaultProps: { transitionProps: { duration: 0 }, centered: false, yOffset: '8vh' },
    },
    Drawer: { defaultProps: { transitionProps: { duration: 0 } } },
    Menu: {
      defaultProps: {
        transitionProps: { duration: 0 },
        position: 'bottom-end',
        // Inside the main landmark (AppShell), so that nothing stands outside of all.
        portalProps: { target: '#floating' },
        withInitialFocusPlaceholder: false,
      },
    },
    Popover: { defaultProps: { transitionProps: { duration: 0 } } },
    Combobox: { defaultProps: { transitionProps: { duration: 0 } } },
    // A list that opens with the focus would cover the next field, and come back when a dialog above closes.
    Select: { defaultProps: { size: 'sm', openOnFocus: false } },
    MultiSelect: { defaultProps: { openOnFocus: false } },
    TextInput: { defaultProps: { size: 'sm' } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 10, fz: 'sm' } },
  },
});

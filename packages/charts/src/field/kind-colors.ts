import type { PlotKind } from '@heterosis/contracts/data/trials';

/** Colours of plots by what stands on them: checks stand out, fillers and borders stay behind. */
export const KIND_COLORS: Record<'light' | 'dark', Record<PlotKind, string>> = {
  light: { ENTRY: '#8cc5a2', CHECK: '#d55e00', FILLER: '#d4d4d1', BORDER: '#8f8f8b' },
  dark: { ENTRY: '#3f7a58', CHECK: '#e69f00', FILLER: '#4a4a47', BORDER: '#75756f' },
};

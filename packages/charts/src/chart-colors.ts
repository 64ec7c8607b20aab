/** Okabe & Ito (2008): eight colours that people with any colour vision can tell apart. */
const OKABE_ITO = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00', '#F0E442', '#000000'];

export interface ChartColors {
  dark: boolean;
  ground: string;
  text: string;
  muted: string;
  line: string;
  accent: string;
  /** What is measured. */
  mark: string;
  /** Two alternating tones of the chromosomes. */
  tones: [string, string];
  threshold: string;
  series: string[];
}

const LIGHT: ChartColors = {
  dark: false,
  ground: '#ffffff',
  text: '#1d1d1c',
  muted: '#5f5f5c',
  line: '#dededc',
  accent: '#2b7a4b',
  mark: '#0072B2',
  tones: ['#0072B2', '#6f6f6c'],
  threshold: '#D55E00',
  series: OKABE_ITO,
};

const DARK: ChartColors = {
  dark: true,
  ground: '#1a1a19',
  text: '#dcdcda',
  muted: '#a3a3a0',
  line: '#3d3d3b',
  accent: '#5cc48a',
  mark: '#56B4E9',
  tones: ['#56B4E9', '#9a9a97'],
  threshold: '#E69F00',
  series: ['#56B4E9', '#E69F00', '#009E73', '#CC79A7', '#0072B2', '#D55E00', '#F0E442', '#ffffff'],
};

export const chartColors = (scheme: 'light' | 'dark'): ChartColors => (scheme === 'dark' ? DARK : LIGHT);

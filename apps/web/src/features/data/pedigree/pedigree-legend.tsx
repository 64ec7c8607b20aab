import { useTranslation } from 'react-i18next';
import type { Coloring } from './graph/colors.ts';
import type { Palette } from './graph/paint.ts';
import classes from './pedigree.module.css';

/** Colours of the boxes, and what the lines mean. */
export function PedigreeLegend({ coloring, palette }: { coloring: Coloring; palette: Palette }) {
  const { t } = useTranslation();
  return (
    <>
      <ul className={classes.legend} aria-label={t('pedigree.colors')}>
        {coloring.legend.map(({ label, color }) => (
          <li key={label}>
            <span className={classes.swatch} style={{ background: color }} />
            {label}
          </li>
        ))}
      </ul>
      <ul className={classes.legend} aria-label={t('pedigree.lines')}>
        {(['female', 'male', 'selfed', 'recurrent', 'clone'] as const).map((kind) => (
          <li key={kind}>
            <svg width="24" height="12" aria-hidden="true">
              {(kind === 'selfed' ? [4, 8] : [6]).map((y) => (
                <line
                  key={y}
                  x1="0"
                  x2="24"
                  y1={y}
                  y2={y}
                  stroke={palette.lines[kind]}
                  strokeWidth={kind === 'recurrent' ? 3 : 1.5}
                  strokeDasharray={kind === 'clone' ? '4 4' : undefined}
                />
              ))}
            </svg>
            {t(`pedigree.line.${kind}`)}
          </li>
        ))}
        <li>
          <svg width="12" height="12" aria-hidden="true">
            <circle cx="6" cy="6" r="4" fill="none" stroke={palette.muted} />
          </svg>
          {t('pedigree.line.unknown')}
        </li>
        <li>
          <svg width="12" height="12" aria-hidden="true">
            <path d="M1 3L11 3L6 10Z" fill={palette.accent} />
          </svg>
          {t('pedigree.line.hidden')}
        </li>
      </ul>
    </>
  );
}

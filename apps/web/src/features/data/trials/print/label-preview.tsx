import { type LabelSheet, labelBoxes, labelLayout } from '@heterosis/contracts/data/field-books';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { encode } from 'uqr';
import classes from './labels-dialog.module.css';

const PAPERS = { A4: { width: 210, height: 297 }, LETTER: { width: 215.9, height: 279.4 } };

/** The first label at its proportions, and the first sheet, on which a click says where to begin. */
export function LabelPreview(props: {
  sheet: LabelSheet;
  lines: readonly string[];
  code: string;
  start: number;
  count: number;
  onStart: (place: number) => void;
}) {
  const { sheet, lines, code, start, count, onStart } = props;
  const { t } = useTranslation();
  const boxes = useMemo(() => labelBoxes(sheet), [sheet]);
  const paper = PAPERS[sheet.page];
  return (
    <div className={classes.preview}>
      <Label sheet={sheet} lines={lines} code={code} />
      <svg
        className={classes.sheet}
        viewBox={`0 0 ${paper.width} ${paper.height}`}
        role="img"
        aria-label={t('print.sheetPreview')}
      >
        {boxes.map(({ x, y }, place) => {
          const isUsed = place + 1 < start;
          const isPrinted = !isUsed && place + 1 < start + count;
          return (
            // Beside the field of a number, which does the same by keyboard.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
            <rect
              key={`${x},${y}`}
              className={classes.box}
              data-used={isUsed || undefined}
              data-printed={isPrinted || undefined}
              {...{ x, y, width: sheet.width, height: sheet.height, rx: 1.5 }}
              onClick={() => onStart(place + 1)}
            />
          );
        })}
      </svg>
      <p className="hx-muted">{t('print.sheetHint')}</p>
    </div>
  );
}

function Label({ sheet, lines, code }: { sheet: LabelSheet; lines: readonly string[]; code: string }) {
  const { t } = useTranslation();
  const layout = labelLayout(sheet, lines.length);
  const { data, size } = useMemo(() => encode(code, { ecc: 'M', border: 2 }), [code]);
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg viewBox={`0 0 ${sheet.width} ${sheet.height}`} role="img" aria-label={t('print.labelPreview')}>
      <g transform={`translate(${layout.code.x} ${layout.code.y}) scale(${layout.code.side / size})`}>
        <path d={path} fill="#000000" shapeRendering="crispEdges" />
      </g>
      {layout.lines.map(({ x, y, width, size: letters, isBold }, line) => (
        <svg key={lines[line]} x={x} y={y} width={width} height={letters * 1.3} overflow="hidden" style={{ border: 0 }}>
          <text y={letters} fontSize={letters} fontWeight={isBold ? 600 : 400} fill="#111111">
            {lines[line]}
          </text>
        </svg>
      ))}
    </svg>
  );
}

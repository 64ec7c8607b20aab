import { correlation } from '@heterosis/charts/distribution';
import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkedScatter } from '../../../components/charts/linked-scatter.tsx';
import type { PageSelection } from '../../../components/table/use-selection.ts';
import { formatCount, formatDecimals } from '../../../lib/format/format.ts';
import { withUnit } from '../../data/files/index.ts';
import { useTraitInAddress } from '../runs/index.ts';
import type { ResultRow } from './ranking.ts';

const HEIGHT = 300;
const R_DECIMALS = 2;

/** Two traits of the same individuals; both are chosen above the plot. */
export function TraitsTogether(props: {
  prediction: PredictionDetail;
  rows: readonly ResultRow[];
  unitOf: (trait: string) => string | undefined;
  selection: PageSelection;
}) {
  const { prediction, rows, unitOf, selection } = props;
  const { traits } = prediction;
  const { t } = useTranslation();
  const { trait, choose } = useTraitInAddress(traits);
  const [other, setOther] = useState<string>();
  const others = traits.filter((one) => one !== trait);
  const second = others.find((one) => one === other) ?? others[0] ?? trait;
  const side = (name: string) => ({
    label: withUnit(t('predictions.gebvOf', { trait: name }), unitOf(name)),
    values: rows.map((row) => row.gebv[traits.indexOf(name)] ?? Number.NaN),
  });
  const [x, y] = [side(trait), side(second)];
  const r = formatDecimals(correlation(x.values, y.values), R_DECIMALS);
  return (
    <LinkedScatter
      title={t('word.against', { x: trait, y: second })}
      caption={t('predictions.againstCaption', { r })}
      names={rows.map(({ individual }) => individual)}
      x={x}
      y={y}
      height={HEIGHT}
      selection={selection}
      fileName={`${prediction.name} ${trait} ${second}`}
      pictureNote={`${prediction.name} · n = ${formatCount(rows.length)} · r = ${r}`}
      tools={
        <>
          <NativeSelect
            size="xs"
            aria-label={t('predictions.horizontal')}
            value={trait}
            onChange={(event) => choose(event.currentTarget.value)}
            data={traits}
          />
          {others.length > 1 && (
            <NativeSelect
              size="xs"
              aria-label={t('predictions.vertical')}
              value={second}
              onChange={(event) => setOther(event.currentTarget.value)}
              data={others}
            />
          )}
        </>
      }
    />
  );
}

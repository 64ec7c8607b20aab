import type { FineMap } from '@heterosis/contracts/work/fine-maps';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { Button, CopyButton, NativeSelect, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { FigureSkeleton } from '../../../../components/charts/figure-skeleton.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { formatCount, formatMb, formatTick } from '../../../../lib/format/format.ts';
import classes from '../gwas-stepwise.module.css';
import placing from '../gwas-trait-result.module.css';
import { pictureNoteOf } from '../picture-note.ts';
import type { Region } from '../view-in-address.ts';
import { fineMapOption } from './fine-map-option.ts';
import { fineMapQuery, fineMapsQuery } from './fine-maps.api.ts';

const HEIGHT = 260;
const SHOWN_MARKERS = 6;

type Listed = Omit<FineMap, 'result'>;

interface Place {
  projectId: string;
  gwas: GwasDetail;
  trait: string;
  onMarker: (id: string) => void;
}

/** The fine mappings that a region has parts of: the newest, or the one that is chosen. */
export function FineMapSection({ region, ...place }: Place & { region: Region }) {
  const { t } = useTranslation();
  const [chosen, choose] = useState<string>();
  const { data = [] } = useQuery(fineMapsQuery(place.projectId, place.gwas.id, place.trait));
  const here = data.filter(({ chr, start, end }) => chr === region.chr && start <= region.end && end >= region.start);
  const shown = here.find(({ id }) => id === chosen) ?? here[0];
  if (shown === undefined) return null;
  const nameOf = ({ chr, start, end }: Listed): string =>
    t('gwas.region', { chr, start: formatMb(start), end: formatMb(end) });
  return (
    <div className={placing.fineMap}>
      {here.length > 1 && (
        <NativeSelect
          size="xs"
          maw="22rem"
          label={t('gwas.fineMap.which')}
          value={shown.id}
          onChange={(event) => choose(event.currentTarget.value)}
          data={here.map((one) => ({ value: one.id, label: nameOf(one) }))}
        />
      )}
      {shown.status === 'PROCESSING' ? (
        <p role="status">
          {t(shown.progress?.stage === 'queued' ? 'gwas.fineMap.waits' : 'gwas.fineMap.runs', {
            region: nameOf(shown),
          })}
        </p>
      ) : shown.status === 'ERROR' ? (
        <p role="alert">
          {t('gwas.fineMap.failed', { region: nameOf(shown) })} {shown.error_extra?.['message']}{' '}
          {shown.error_extra?.['action']}
        </p>
      ) : (
        <FineMapFigure key={shown.id} {...place} fineMap={shown} />
      )}
    </div>
  );
}

function FineMapFigure({ projectId, gwas, trait, onMarker, fineMap }: Place & { fineMap: Listed }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const { data, error, refetch } = useQuery(fineMapQuery(projectId, gwas.id, trait, fineMap.id));
  const result = data?.result ?? null;
  const { chr, start, end, coverage } = fineMap;
  const option = useMemo(
    () =>
      result &&
      fineMapOption(
        result,
        { start, end },
        {
          x: t('gwas.positionMb', { chr }),
          y: t('gwas.fineMap.pip'),
          outside: t('gwas.fineMap.outside'),
          effect: t('gwas.effect'),
          nameOfSet: (set) => t('gwas.fineMap.set', { set }),
        },
        colors,
      ),
    [result, chr, start, end, colors, t],
  );
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (result === null || option === null) return <FigureSkeleton height={HEIGHT} />;
  const { n, sets, markers, kinship, converged } = result;
  const caption = [
    t('gwas.fineMap.caption', { n: formatCount(n), markers: formatCount(markers.length) }),
    t(sets.length === 0 ? 'gwas.fineMap.none' : 'gwas.fineMap.found', {
      count: sets.length,
      coverage: formatTick(100 * coverage),
    }),
    ...(kinship === 'all markers' ? [t('gwas.fineMap.allMarkers')] : []),
    ...(converged ? [] : [t('gwas.fineMap.notConverged')]),
  ];
  return (
    <>
      <Figure
        title={t('gwas.fineMap.title', { chr })}
        caption={caption.join(' ')}
        label={t('gwas.fineMap.label', { count: markers.length, sets: sets.length })}
        option={option}
        height={HEIGHT}
        fileName={`${gwas.name} ${trait} ${chr} ${start}-${end} fine mapping`}
        pictureNote={pictureNoteOf(gwas, trait)}
        tools={
          <>
            <Copy text={result.methods} label={t('gwas.copyMethods')} />
            {result.command !== null && <Copy text={result.command} label={t('gwas.fineMap.copyCommand')} />}
          </>
        }
        onPoint={([pos, pip]) => {
          const clicked = markers.find((one) => one.pos === pos && one.pip === pip);
          if (clicked) onMarker(clicked.id);
        }}
        table={{
          head: ['marker', 'chr', 'pos', 'pip', 'effect', 'set'],
          rows: markers.map((one) => [one.id, chr, one.pos, one.pip, one.effect, one.set]),
        }}
      />
      {sets.length > 0 && <Sets result={result} onMarker={onMarker} />}
    </>
  );
}

function Copy({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button size="compact-xs" variant="default" onClick={copy}>
          {copied ? t('word.copied') : label}
        </Button>
      )}
    </CopyButton>
  );
}

/** The credible sets, the best supported first, with their most probable markers. */
function Sets({ result, onMarker }: { result: NonNullable<FineMap['result']>; onMarker: (id: string) => void }) {
  const { t } = useTranslation();
  const pipOf = new Map(result.markers.map(({ id, pip }) => [id, pip]));
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table className={classes.numbers} aria-label={t('gwas.fineMap.sets')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('gwas.fineMap.setHead')}</Table.Th>
            <Table.Th>{t('word.markers')}</Table.Th>
            <Table.Th>{t('gwas.fineMap.coverage')}</Table.Th>
            <Table.Th>{t('gwas.fineMap.purity')}</Table.Th>
            <Table.Th>{t('gwas.fineMap.logBayesFactor')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {result.sets.map((set, k) => (
            <Table.Tr key={set.markers.join(' ')}>
              <Table.Td>{k + 1}</Table.Td>
              <Table.Td style={{ whiteSpace: 'normal' }}>
                {set.markers.slice(0, SHOWN_MARKERS).map((id, place) => (
                  <span key={id}>
                    {place > 0 && ', '}
                    <button type="button" className={classes.marker} onClick={() => onMarker(id)}>
                      {id}
                    </button>{' '}
                    ({(pipOf.get(id) ?? 0).toFixed(2)})
                  </span>
                ))}
                {set.markers.length > SHOWN_MARKERS &&
                  ` ${t('word.andCountMore', { count: set.markers.length - SHOWN_MARKERS })}`}
              </Table.Td>
              <Table.Td>{set.coverage.toFixed(3)}</Table.Td>
              <Table.Td>{set.purity.toFixed(2)}</Table.Td>
              <Table.Td>{set.log_bayes_factor.toFixed(1)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

import type { GwasSummary } from '@heterosis/contracts/work/gwas';
import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/page/section.tsx';
import { formatCount, formatPValue, formatStatistic } from '../../../lib/format/format.ts';
import classes from './gwas-stepwise.module.css';

type Search = NonNullable<GwasSummary['stepwise']>;

const formatShare = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** The markers that explain a trait together, and the models among which they were chosen. */
export function GwasStepwise({
  trait,
  search,
  onMarker,
}: {
  trait: string;
  search: Search;
  onMarker: (id: string) => void;
}) {
  const { t } = useTranslation();
  const chosen = search.models[search.chosen];
  if (chosen === undefined) return null;
  const { markers, pve, h2 } = chosen;
  return (
    <Section
      title={t('gwas.together')}
      note={
        markers.length === 0
          ? t('gwas.togetherNone', { trait })
          : t('gwas.togetherNote', { count: markers.length, trait, pve: formatShare(pve), h2: formatStatistic(h2) })
      }
    >
      {markers.length > 0 && (
        <Table.ScrollContainer minWidth={560}>
          <Table className={classes.numbers} aria-label={t('gwas.together')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('word.marker')}</Table.Th>
                <Table.Th>{t('marker.pos')}</Table.Th>
                <Table.Th>{t('gwas.effectBeside')}</Table.Th>
                <Table.Th>p</Table.Th>
                <Table.Th>{t('gwas.pve')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {markers.map((marker) => (
                <Table.Tr key={marker.id}>
                  <Table.Td>
                    <button type="button" className={classes.marker} onClick={() => onMarker(marker.id)}>
                      {marker.id}
                    </button>
                  </Table.Td>
                  <Table.Td>{`${marker.chr}:${formatCount(marker.pos)}`}</Table.Td>
                  <Table.Td>{`${formatStatistic(marker.effect)} ± ${formatStatistic(marker.effect_se)}`}</Table.Td>
                  <Table.Td>{formatPValue(marker.p)}</Table.Td>
                  <Table.Td>{formatShare(marker.pve)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <details className={classes.path}>
        <summary>{t('gwas.modelsTried', { count: search.models.length })}</summary>
        <Table.ScrollContainer minWidth={560}>
          <Table className={classes.numbers} aria-label={t('gwas.modelsTried', { count: search.models.length })}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('word.markers')}</Table.Th>
                <Table.Th>{t('word.step')}</Table.Th>
                <Table.Th>mBIC</Table.Th>
                <Table.Th>eBIC</Table.Th>
                <Table.Th>h²</Table.Th>
                <Table.Th>{t('gwas.pve')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {search.models.map((model, k) => (
                <Table.Tr key={stepOf(search, k)} data-chosen={k === search.chosen || undefined}>
                  <Table.Td>
                    {model.markers.length}
                    {k === search.chosen && ` (${t('gwas.chosenModel')})`}
                  </Table.Td>
                  <Table.Td>{stepOf(search, k)}</Table.Td>
                  <Table.Td>{model.mbic.toFixed(2)}</Table.Td>
                  <Table.Td>{model.ebic.toFixed(2)}</Table.Td>
                  <Table.Td>{formatStatistic(model.h2)}</Table.Td>
                  <Table.Td>{formatShare(model.pve)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </details>
    </Section>
  );
}

/** What the step to model `k` changed: "+ M12", "− M7"; a dash for the first. */
function stepOf({ models }: Search, k: number): string {
  const idsOf = (place: number): string[] => (models[place]?.markers ?? []).map(({ id }) => id);
  if (k === 0) return '–';
  const [before, now] = [idsOf(k - 1), idsOf(k)];
  const added = now.find((id) => !before.includes(id));
  return added === undefined ? `− ${before.find((id) => !now.includes(id)) ?? ''}` : `+ ${added}`;
}

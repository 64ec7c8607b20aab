import type { GwasClumps as Clumps, GwasDetail } from '@heterosis/contracts/work/gwas';
import { Button, Group, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Section } from '../../../components/page/section.tsx';
import { useModal } from '../../../lib/browser/modal.ts';
import { type NamedFiles, namingFiles } from '../../../lib/browser/named-files.ts';
import { formatCount, formatPValue, formatStatistic } from '../../../lib/format/format.ts';
import { gwasClumpsQuery } from './gwas.api.ts';
import classes from './gwas-stepwise.module.css';
import { useTestGiven } from './use-test-given.ts';

/** As many are shown at first, and at most. */
const SHOWN = 10;
const MOST_SHOWN = 200;

/** Those that a model of the same data is trained on. */
const filesOf = ({ genotype_id: genotype, phenotype_id: phenotype }: GwasDetail): NamedFiles => ({
  ...(genotype === null ? {} : { genotype }),
  ...(phenotype === null ? {} : { phenotype }),
});

/** Hits in LD, each clump under its strongest marker; the table of markers can be narrowed to one of them. */
export function GwasClumps(props: {
  projectId: string;
  gwas: GwasDetail;
  trait: string;
  onMarker: (id: string) => void;
  /** Shows the markers of a clump only. */
  onClump: (id: string) => void;
}) {
  const { projectId, gwas, trait, onMarker, onClump } = props;
  const { t } = useTranslation();
  const { data: found, error, refetch } = useQuery(gwasClumpsQuery(projectId, gwas.id, trait));
  const testGiven = useTestGiven(projectId, gwas);
  const modal = useModal();
  const [shown, setShown] = useState(SHOWN);
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!found) return <SkeletonLines lines={4} />;
  const { rule, data } = found;
  const count = data.length;
  const { p1, p2, r2, kb } = rule;
  return (
    <Section
      title={t('gwas.clumps')}
      note={
        count === 0
          ? t('gwas.clumpsNone', { p1 })
          : `${t('gwas.clumpsNote', { count, p1, p2, r2, kb })}${count > MOST_SHOWN ? ` ${t('gwas.clumpsShown', { shown: MOST_SHOWN, total: formatCount(count) })}` : ''}`
      }
      action={
        testGiven &&
        count > 0 && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => testGiven(strongest(data))}>
              {t('gwas.testGivenLeads', { count: strongest(data).length })}
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={() => modal.open('create-model', namingFiles(filesOf(gwas)), strongest(data))}
            >
              {t('gwas.fixLeads', { count: strongest(data).length })}
            </Button>
          </Group>
        )
      }
    >
      {count > 0 && (
        <Table.ScrollContainer minWidth={480}>
          <Table className={classes.numbers} aria-label={t('gwas.clumps')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('word.marker')}</Table.Th>
                <Table.Th>{t('marker.pos')}</Table.Th>
                <Table.Th>p</Table.Th>
                <Table.Th>{t('gwas.clumpMembers')}</Table.Th>
                <Table.Th>{t('gwas.clumpSpan')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.slice(0, shown).map((clump) => (
                <Table.Tr key={`${clump.chr} ${clump.pos} ${clump.id}`}>
                  <Table.Td>
                    <button type="button" className={classes.marker} onClick={() => onMarker(clump.id)}>
                      {clump.id}
                    </button>
                  </Table.Td>
                  <Table.Td>{`${clump.chr}:${formatCount(clump.pos)}`}</Table.Td>
                  <Table.Td>{formatPValue(clump.p)}</Table.Td>
                  <Table.Td>
                    {clump.members.length === 0 ? (
                      0
                    ) : (
                      <button
                        type="button"
                        className={classes.marker}
                        aria-label={t('gwas.showClump', { count: clump.members.length, marker: clump.id })}
                        title={clump.members.map(({ id }) => id).join(', ')}
                        onClick={() => onClump(clump.id)}
                      >
                        {formatCount(clump.members.length)}
                      </button>
                    )}
                  </Table.Td>
                  <Table.Td>{spanOf(clump)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {count > shown && shown < MOST_SHOWN && (
        <Button size="compact-xs" variant="default" w="fit-content" onClick={() => setShown(MOST_SHOWN)}>
          {t('gwas.showClumps', { count: Math.min(count, MOST_SHOWN) })}
        </Button>
      )}
    </Section>
  );
}

/** As many first markers as a model of several can hold well. */
const MOST_GIVEN = 10;
const strongest = (data: Clumps['data']): string[] => data.slice(0, MOST_GIVEN).map(({ id }) => id);

/** From the first marker to the last, in kilobases; a dash for a marker alone. */
function spanOf({ pos, members }: Clumps['data'][number]): string {
  const positions = [pos, ...members.map((member) => member.pos)];
  return members.length === 0 ? '–' : formatStatistic((Math.max(...positions) - Math.min(...positions)) / 1000);
}

import type { Germplasm, GermplasmDetail } from '@heterosis/contracts/data/germplasm';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { IconDots, IconGitMerge, IconTrash } from '../../../components/icons.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type Fact, FactsStrip } from '../../../components/page/facts-strip.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Page } from '../../../components/page/page.tsx';
import { Section } from '../../../components/page/section.tsx';
import { DataTable, type RowLink } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import type { Place } from '../../../lib/browser/place.ts';
import { Comments } from '../../people/comments/index.ts';
import { EditGermplasmDialog } from './edit-germplasm-dialog.tsx';
import {
  germplasmLink,
  germplasmListLink,
  germplasmQuery,
  useDeleteGermplasm,
  useUndoChange,
} from './germplasm.api.ts';
import { germplasmColumns } from './germplasm-columns.tsx';
import { Occurrences, Values } from './germplasm-occurrences.tsx';
import { MergeGermplasmDialog } from './merge-germplasm-dialog.tsx';
import { LinePassport } from './passport/line-passport.tsx';
import { useGermplasmCrumbs, useGermplasmStanding } from './use-germplasm-place.ts';

/** One line: where it comes from, what comes from it, and where it occurs. */
export function GermplasmDetailPage({ place, germplasmId }: { place: Place; germplasmId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(germplasmQuery(place, germplasmId));
  const crumbs = useGermplasmCrumbs(place, data?.name ?? '…');
  if (!data)
    return (
      <Page title={t('nav.germplasm')} crumbs={crumbs}>
        {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonLines lines={12} />}
      </Page>
    );
  const rest = (
    <Values place={place} germplasmId={data.id}>
      <Progeny place={place} germplasm={data} />
      <Occurrences occurrences={data.occurrences} />
      <Merged place={place} germplasm={data} />
    </Values>
  );
  return (
    <Page
      title={data.name}
      crumbs={crumbs}
      action={
        <>
          <Button variant="default" renderRoot={(props) => <Link {...pedigreeLink(place, data.id)} {...props} />}>
            {t('germplasm.inPedigree')}
          </Button>
          <Actions place={place} germplasm={data} />
        </>
      }
    >
      {!isCalled(data, germplasmId) && <Notice>{t('germplasm.mergedHere', { name: data.name })}</Notice>}
      <Facts place={place} germplasm={data} />
      <Attributes germplasm={data} />
      {place.kind === 'project' ? (
        <LinePassport projectId={place.id} line={germplasmId}>
          {rest}
          <Comments projectId={place.id} entityKind="germplasm" entityId={data.id} />
        </LinePassport>
      ) : (
        rest
      )}
    </Page>
  );
}

/** Whether a line has this id, name or synonym; otherwise the line of the address was merged into it. */
const isCalled = ({ id, name, synonyms }: GermplasmDetail, line: string): boolean =>
  [id, name, ...synonyms.map((one) => one.name)].includes(line);

const pedigreeLink = (place: Place, individual: string): LinkProps =>
  place.kind === 'organization'
    ? { to: '/organizations/$organizationId/pedigree', params: { organizationId: place.id }, search: { individual } }
    : { to: '/projects/$projectId/pedigrees', params: { projectId: place.id }, search: { individual } };

function Facts({ place, germplasm }: { place: Place; germplasm: GermplasmDetail }) {
  const { t } = useTranslation();
  const parent = (one: Germplasm | null) =>
    one === null ? (
      <span className="hx-muted">{t('germplasm.unknown')}</span>
    ) : (
      <Link {...(germplasmLink(place, one.id) as LinkProps)} className="hx-link">
        {one.name}
      </Link>
    );
  const { cross_type: cross, selfing_generations: selfings } = germplasm;
  const none = <span className="hx-muted">–</span>;
  const facts: Fact[] = [
    { label: t('germplasm.maternal'), value: parent(germplasm.maternal) },
    { label: t('germplasm.paternal'), value: parent(germplasm.paternal) },
    { label: t('germplasm.crossType'), value: cross === null ? none : t(`germplasm.cross.${cross}`) },
    { label: t('germplasm.selfings'), value: selfings ?? none, hint: t('germplasm.selfingsHint') },
    { label: t('germplasm.collection'), value: germplasm.collection ?? none },
    { label: t('germplasm.synonyms'), value: germplasm.synonyms.map(({ name }) => name).join(', ') || none },
    { label: t('column.crop'), value: germplasm.crop.name },
    {
      label: t('column.created'),
      value: (
        <>
          <RelativeTime date={germplasm.created_at} />
          {germplasm.created_by !== null && `, ${germplasm.created_by}`}
        </>
      ),
    },
  ];
  return <FactsStrip facts={facts} />;
}

function Attributes({ germplasm }: { germplasm: GermplasmDetail }) {
  const { t } = useTranslation();
  const entries = Object.entries(germplasm.attributes);
  if (entries.length === 0) return null;
  return (
    <Section title={t('germplasm.attributes')}>
      <FactsStrip facts={entries.map(([label, value]) => ({ label, value }))} />
    </Section>
  );
}

function Progeny({ place, germplasm }: { place: Place; germplasm: GermplasmDetail }) {
  const { t } = useTranslation();
  const { progeny, progeny_count: count } = germplasm;
  return (
    <Section
      title={t('germplasm.progeny')}
      note={count > progeny.length ? t('germplasm.progenyMore', { shown: progeny.length, count }) : undefined}
    >
      {count === 0 ? (
        <p className="hx-muted">{t('germplasm.noProgeny')}</p>
      ) : (
        <DataTable
          id="germplasm-progeny"
          label={t('germplasm.progeny')}
          columns={germplasmColumns(t, place, { withCrop: false })}
          rows={progeny}
          rowId={(row) => row.id}
          rowLink={(row) => germplasmLink(place, row.id)}
          hasTools={progeny.length > 10}
        />
      )}
    </Section>
  );
}

/** What was merged into this line, with the way back. */
function Merged({ place, germplasm }: { place: Place; germplasm: GermplasmDetail }) {
  const { t } = useTranslation();
  const { organizationId, mayChange } = useGermplasmStanding(place);
  const undo = useUndoChange(organizationId ?? '');
  if (germplasm.merged.length === 0) return null;
  return (
    <Section title={t('germplasm.mergedTitle')}>
      {undo.error && <ErrorNotice error={undo.error} />}
      <ul style={{ margin: 0, paddingLeft: '1.2em', display: 'grid', gap: 4 }}>
        {germplasm.merged.map((change) => (
          <li key={change.id}>
            {change.germplasm.name} <RelativeTime date={change.created_at} />{' '}
            {mayChange && (
              <Button
                size="compact-xs"
                variant="subtle"
                loading={undo.isPending}
                onClick={() => undo.mutate(change.id)}
              >
                {t('germplasm.undoMerge')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Actions({ place, germplasm }: { place: Place; germplasm: GermplasmDetail }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { organizationId, mayChange, mayDelete } = useGermplasmStanding(place);
  const [open, setOpen] = useState<'edit' | 'merge' | 'delete'>();
  const remove = useDeleteGermplasm(organizationId ?? '');
  if (!(mayChange || mayDelete) || organizationId === undefined) return null;
  const close = (): void => setOpen(undefined);
  return (
    <>
      {mayChange && (
        <Button variant="default" onClick={() => setOpen('edit')}>
          {t('germplasm.edit')}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('germplasm.more')}>
            <IconDots size={18} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayChange && (
            <Menu.Item leftSection={<IconGitMerge size={16} />} onClick={() => setOpen('merge')}>
              {t('germplasm.merge')}
            </Menu.Item>
          )}
          {mayDelete && (
            <Menu.Item leftSection={<IconTrash size={16} />} className="hx-danger" onClick={() => setOpen('delete')}>
              {t('action.delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && (
        <EditGermplasmDialog place={place} organizationId={organizationId} germplasm={germplasm} onClose={close} />
      )}
      {open === 'merge' && (
        <MergeGermplasmDialog place={place} organizationId={organizationId} germplasm={germplasm} onClose={close} />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t('action.deleteTitle', { name: germplasm.name })}
          confirmLabel={t('germplasm.delete')}
          onConfirm={async () => {
            const { change_id } = await remove.mutateAsync(germplasm.id);
            const list: RowLink = { ...germplasmListLink(place), search: { undo: change_id, gone: germplasm.name } };
            await navigate(list as Parameters<typeof navigate>[0]);
          }}
          onClose={close}
        >
          {t('germplasm.deleteText')}
        </ConfirmDialog>
      )}
    </>
  );
}

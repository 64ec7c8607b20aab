import { type Germplasm, germplasmSort } from '@heterosis/contracts/data/germplasm';
import { Button, Checkbox, Menu, NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconChevronDown } from '../../../components/icons.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Page } from '../../../components/page/page.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import { useEndlessTable } from '../../../components/table/use-endless-table.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { fileOfTable, isTable, usePastedText } from '../../../lib/browser/pasted-text.ts';
import type { Place } from '../../../lib/browser/place.ts';
import { cropsQuery } from '../../people/crops/index.ts';
import { keepDropped } from '../files/index.ts';
import { downloadGermplasm, germplasmLink, germplasmListQuery, useUndoChange } from './germplasm.api.ts';
import { germplasmColumns } from './germplasm-columns.tsx';
import { useGermplasmCrumbs, useGermplasmStanding } from './use-germplasm-place.ts';

const rowId = (row: Germplasm): string => row.id;

/** The lines of an organization or of the crop of a project. */
export function GermplasmPage({
  place,
  gone,
}: {
  place: Place;
  gone?: { name: string; changeId: string } | undefined;
}) {
  const { t } = useTranslation();
  const modal = useModal();
  const standing = useGermplasmStanding(place);
  const isProject = place.kind === 'project';
  const { data: crops, isError: areCropsUnknown } = useQuery({ ...cropsQuery(place.id), enabled: !isProject });
  // The choice of a crop is beside the search, which would move if it came later.
  const isReady = isProject || crops !== undefined || areCropsUnknown;
  const [cropId, setCropId] = useState<string>();
  const [inProject, setInProject] = useState(false);
  const { table, first, search } = useEndlessTable({
    query: ({ search: text, sortText }) =>
      germplasmListQuery(place, {
        search: text,
        sort: germplasmSort.safeParse(sortText).data,
        cropId,
        inProject,
      }),
    defaultSort: { column: 'name', descending: false },
  });
  usePastedText('page', standing.mayUpload && modal.current === undefined, (text) => {
    if (!isTable(text)) return false;
    keepDropped([fileOfTable(text, t('files.upload.pastedName'))]);
    modal.open('upload-germplasm');
    return true;
  });
  const isFiltered = search !== '' || cropId !== undefined || inProject;
  const upload = standing.mayUpload && (
    <Button onClick={() => modal.open('upload-germplasm')}>{t('germplasm.upload')}</Button>
  );
  return (
    <Page
      title={t('nav.germplasm')}
      crumbs={useGermplasmCrumbs(place)}
      aside={first?.total != null && <span className="hx-muted">{t('germplasm.count', { count: first.total })}</span>}
      action={
        <>
          <ExportMenu place={place} cropId={cropId} />
          {upload}
        </>
      }
    >
      {gone && <GoneNotice organizationId={standing.organizationId} {...gone} />}
      {isReady ? (
        <DataTable
          id="germplasm"
          label={t('nav.germplasm')}
          columns={germplasmColumns(t, place, { withCrop: !isProject && (crops?.length ?? 0) > 1 })}
          rowId={rowId}
          rowLink={(row) => germplasmLink(place, row.id)}
          searchLabel={t('germplasm.search')}
          total={first?.total ?? undefined}
          maxHeight="calc(100vh - 15rem)"
          filters={
            isProject ? (
              <Checkbox
                size="xs"
                label={t('germplasm.inProject')}
                checked={inProject}
                onChange={(event) => setInProject(event.currentTarget.checked)}
              />
            ) : (
              (crops?.length ?? 0) > 1 && (
                <NativeSelect
                  size="xs"
                  aria-label={t('column.crop')}
                  value={cropId ?? ''}
                  onChange={(event) => setCropId(event.currentTarget.value || undefined)}
                  data={[
                    { value: '', label: t('germplasm.allCrops') },
                    ...(crops ?? []).map(({ id, name }) => ({ value: id, label: name })),
                  ]}
                />
              )
            )
          }
          empty={
            isFiltered ? undefined : (
              <EmptyState title={t('germplasm.emptyTitle')} action={upload}>
                {t('germplasm.emptyText')}
              </EmptyState>
            )
          }
          {...table}
        />
      ) : (
        <SkeletonLines lines={8} />
      )}
    </Page>
  );
}

/** After a deletion: the way back. */
function GoneNotice(props: { organizationId: string | undefined; name: string; changeId: string }) {
  const { t } = useTranslation();
  const undo = useUndoChange(props.organizationId ?? '');
  if (undo.isSuccess) return <Notice kind="success">{t('germplasm.back', { name: props.name })}</Notice>;
  return (
    <Notice>
      {t('germplasm.gone', { name: props.name })}{' '}
      <Button size="compact-xs" variant="subtle" loading={undo.isPending} onClick={() => undo.mutate(props.changeId)}>
        {t('germplasm.undo')}
      </Button>
      {undo.error && <ErrorNotice error={undo.error} />}
    </Notice>
  );
}

function ExportMenu({ place, cropId }: { place: Place; cropId: string | undefined }) {
  const { t } = useTranslation();
  const download = useMutation({
    mutationFn: (format: 'csv' | 'mcpd') => downloadGermplasm(place, format, cropId),
  });
  return (
    <>
      {download.error && <ErrorNotice error={download.error} />}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            loading={download.isPending}
            rightSection={<IconChevronDown size={16} aria-hidden="true" />}
          >
            {t('germplasm.export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => download.mutate('csv')}>{t('germplasm.exportCsv')}</Menu.Item>
          <Menu.Item onClick={() => download.mutate('mcpd')}>{t('germplasm.exportMcpd')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

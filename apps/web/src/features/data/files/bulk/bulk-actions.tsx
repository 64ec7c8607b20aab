import type { File } from '@heterosis/contracts/data/files';
import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { RUN_KINDS, type RunNeed, runKinds } from '@heterosis/contracts/work/run-kinds';
import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../lib/api/api-client.ts';
import { asProblem } from '../../../../lib/api/problem.ts';
import { downloadAnswer } from '../../../../lib/browser/download.ts';
import { useModal } from '../../../../lib/browser/modal.ts';
import { namingFiles } from '../../../../lib/browser/named-files.ts';
import { createModalOf } from '../../../../lib/browser/run-kinds.ts';
import { showToast } from '../../../../lib/browser/toast.ts';
import { useProjectRights } from '../../../people/projects/index.ts';
import { isUsable } from '../picker/file-picker.tsx';
import { type StorageRow, thingOf } from '../storage-columns.tsx';
import { DeleteSeveralDialog } from './delete-several-dialog.tsx';
import { MoveSeveralDialog } from './move-several-dialog.tsx';

interface BulkActionsProps {
  projectId: string;
  chosen: readonly StorageRow[];
  clear: () => void;
}

/** What can be done with ticked files and folders. An action that one of them rules out is greyed and says why. */
export function BulkActions({ projectId, chosen, clear }: BulkActionsProps) {
  const { t } = useTranslation();
  const { may, mayChange, mayDelete } = useProjectRights(projectId);
  const [asking, setAsking] = useState<'move' | 'delete'>();
  const files = chosen.flatMap((row) => (row.kind === 'file' ? [row.file] : []));
  const hasFolder = files.length < chosen.length;
  const download = useDownloads(projectId);
  const close = (isDone: boolean): void => {
    setAsking(undefined);
    if (isDone) clear();
  };
  return (
    <>
      <BulkButton
        label={t('files.bulk.move')}
        onClick={() => setAsking('move')}
        reason={chosen.every((row) => mayChange(thingOf(row))) ? undefined : t('files.bulk.notYours')}
      />
      <BulkButton
        label={t('word.download')}
        isPending={download.isPending}
        onClick={() => download.mutate(files)}
        reason={hasFolder ? t('files.bulk.onlyFiles') : undefined}
      />
      {may('write') && <StartMenu files={files} hasFolder={hasFolder} />}
      <BulkButton
        label={t('action.delete')}
        onClick={() => setAsking('delete')}
        reason={chosen.every((row) => mayDelete(thingOf(row))) ? undefined : t('files.bulk.notYours')}
      />
      {asking === 'move' && <MoveSeveralDialog projectId={projectId} rows={chosen} onClose={close} />}
      {asking === 'delete' && <DeleteSeveralDialog projectId={projectId} rows={chosen} onClose={close} />}
    </>
  );
}

function BulkButton(props: {
  label: string;
  onClick: () => void;
  /** Why it cannot be done. */
  reason: string | undefined;
  isPending?: boolean;
}) {
  return (
    <Button
      size="compact-xs"
      variant="default"
      disabled={props.reason !== undefined}
      title={props.reason ?? ''}
      loading={props.isPending ?? false}
      onClick={props.onClick}
    >
      {props.label}
    </Button>
  );
}

/** The original of one file under its own name, of several in one archive. */
function useDownloads(projectId: string) {
  return useMutation({
    mutationFn: async (files: readonly File[]) => {
      const [only] = files;
      if (only === undefined) return;
      if (files.length > 1) {
        const query = { file_id: files.map(({ id }) => id) };
        return downloadAnswer(await call(filesApi.archiveFiles, { project_id: projectId, query }), 'files.zip');
      }
      const { meta } = await call(filesApi.getFile, { project_id: projectId, file_id: only.id });
      if (meta.file_url === null) return;
      const link = document.createElement('a');
      link.href = meta.file_url;
      link.download = only.name;
      link.click();
    },
    onError: (error) => showToast({ text: asProblem(error).detail, isError: true }),
  });
}

/** The runs for which the ticked files are enough; the dialog opens with them. */
function StartMenu({ files, hasFolder }: { files: readonly File[]; hasFolder: boolean }) {
  const { t } = useTranslation();
  const modal = useModal();
  const of = (type: File['file_type']) => files.filter((file) => file.file_type === type && isUsable(file));
  const [genotype] = of('GENOTYPE');
  const [phenotype] = of('PHENOTYPE');
  const [crosses] = of('CROSSING_TABLE');
  const isClear =
    !hasFolder && files.length === [genotype, phenotype, crosses].filter((one) => one !== undefined).length;
  const ticked: RunNeed[] = [...(genotype ? ['genotype' as const] : []), ...(phenotype ? ['phenotype' as const] : [])];
  const named = namingFiles({ genotype: genotype?.id, phenotype: phenotype?.id });
  /** The kinds that need just what is ticked. */
  const kinds = runKinds.filter(
    (kind) =>
      RUN_KINDS[kind].needs.length === ticked.length && RUN_KINDS[kind].needs.every((one) => ticked.includes(one)),
  );
  const choices: [string, () => void][] = !isClear
    ? []
    : crosses === undefined
      ? kinds.map((kind) => [t(`${RUN_KINDS[kind].path}.create`), () => modal.open(createModalOf(kind), named)])
      : files.length === 1
        ? [[t('word.simulateCrosses'), () => modal.open('create-crossing-simulation', `table:${crosses.id}`)]]
        : [];
  if (choices.length === 0)
    return <BulkButton label={t('files.bulk.start')} onClick={() => {}} reason={t('files.bulk.noRun')} />;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size="compact-xs" variant="default">
          {t('files.bulk.start')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(([label, open]) => (
          <Menu.Item key={label} onClick={open}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

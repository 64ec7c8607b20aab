import type { File, FileType } from '@heterosis/contracts/data/files';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PickField } from '../../../../components/form/pick-field.tsx';
import { RelativeTime } from '../../../../components/table/relative-time.tsx';
import { asProblem } from '../../../../lib/api/problem.ts';
import { contentOf } from '../content-of.ts';
import { filesQuery } from '../files.api.ts';
import { FilePicker, isUsable } from './file-picker.tsx';

/**
 * A field for a file of the project, the newest first, with size and age. The picker shows them by folder, beginning
 * with the one that the chosen file lies in.
 */
export function FileField(props: {
  label: string;
  description?: string;
  projectId: string;
  types: readonly FileType[];
  value: { id: string; name: string } | undefined;
  onChange: (file: File) => void;
  /** Offered first; the others stay at hand. */
  isPreferred?: (file: File) => boolean;
  /** Where the field may be empty. */
  onClear?: () => void;
  /** Said as long as nothing is chosen. */
  emptyText?: string | undefined;
  error?: ReactNode;
}) {
  const { projectId, types } = props;
  const { t } = useTranslation();
  const [isBrowsing, setBrowsing] = useState(false);
  const [failure, setFailure] = useState<string>();
  const files = useQuery(filesQuery(projectId, { types }));
  const sorted = files.data && byUse(files.data, props.isPreferred);
  return (
    <>
      <PickField
        label={props.label}
        description={props.description}
        options={sorted?.map((one) => ({
          id: one.id,
          name: one.name,
          note: <FileNote file={one} />,
          isDisabled: !isUsable(one),
        }))}
        value={props.value}
        onChange={(id) => {
          const file = sorted?.find((one) => one.id === id);
          if (file) props.onChange(file);
        }}
        onClear={props.onClear}
        placeholder={props.emptyText ?? t('word.chooseAFile')}
        nothingFound={sorted?.length === 0 ? t('files.picker.noneOfType') : t('files.picker.nothingFound')}
        browseLabel={t('files.picker.browse', { field: props.label })}
        onBrowse={() => {
          setFailure(undefined);
          setBrowsing(true);
        }}
        error={props.error ?? failure ?? (files.error ? asProblem(files.error).detail : undefined)}
      />
      {isBrowsing && (
        <FilePicker
          projectId={projectId}
          types={types}
          startFolderId={sorted?.find(({ id }) => id === props.value?.id)?.folder_id ?? null}
          onClose={() => setBrowsing(false)}
          onFailure={(reason) => {
            setFailure(reason);
            setBrowsing(false);
          }}
          onSelect={(file) => {
            props.onChange(file);
            setBrowsing(false);
          }}
        />
      )}
    </>
  );
}

function FileNote({ file }: { file: File }) {
  const { t } = useTranslation();
  return (
    <>
      {isUsable(file) ? contentOf(file, t) : t(`files.status.${file.status}`)}
      {' · '}
      <RelativeTime date={file.created_at} />
    </>
  );
}

/** Those that can be chosen before those that cannot, the preferred and then the newest first. */
function byUse(files: readonly File[], isPreferred: (file: File) => boolean = () => true): File[] {
  return [...files].sort(
    (a, b) =>
      Number(isUsable(b)) - Number(isUsable(a)) ||
      Number(isPreferred(b)) - Number(isPreferred(a)) ||
      b.created_at.localeCompare(a.created_at),
  );
}

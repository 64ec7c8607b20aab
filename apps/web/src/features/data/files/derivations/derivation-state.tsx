import {
  type Derivation,
  type DerivationStep,
  type FileDetail,
  MAX_LISTED_RENAMES,
} from '@heterosis/contracts/data/files';
import type { Stage } from '@heterosis/contracts/work/runs';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { type ModalName, useModal } from '../../../../lib/browser/modal.ts';
import { useProjectRights } from '../../../people/projects/index.ts';
import {
  CONVERSION_STAGES,
  HYBRID_STAGES,
  PHASING_STAGES,
  RunFailures,
  RunningTraits,
  stateOfWhole,
} from '../../../work/runs/index.ts';
import { useFileMutations } from '../files.api.ts';

/** Of each way to make a file: the words for it (`files.{words}`), its stages and its dialog. */
const WAYS = {
  phase: { words: 'phasing', stages: PHASING_STAGES, modal: 'phasing' },
  hybrids: { words: 'hybrids', stages: HYBRID_STAGES, modal: 'hybrids' },
  convert: { words: 'convert', stages: CONVERSION_STAGES, modal: 'convert-file' },
} as const satisfies Record<DerivationStep, { words: string; stages: readonly Stage[]; modal: ModalName }>;

/** How the making of a file from this one goes, why it failed, or where the new file is. */
export function DerivationState({
  projectId,
  file,
  derivation,
}: {
  projectId: string;
  file: FileDetail;
  derivation: Derivation;
}) {
  const { t } = useTranslation();
  const modal = useModal();
  const { may, mayChange } = useProjectRights(projectId);
  const { phase, cancelDerivation } = useFileMutations(projectId);
  const { words, stages, modal: dialog } = WAYS[derivation.step];
  const label = t(`files.${words}.running`);
  const state = stateOfWhole(derivation);
  if (derivation.status === 'PROCESSING')
    return (
      <>
        <RunningTraits
          state={state}
          name={label}
          stages={stages}
          onCancel={mayChange(file) ? () => cancelDerivation.mutate({ id: file.id, step: derivation.step }) : undefined}
        />
        {cancelDerivation.error && <ErrorNotice error={cancelDerivation.error} />}
      </>
    );
  if (derivation.status === 'ERROR')
    return (
      <>
        <RunFailures
          state={state}
          name={label}
          // The others are asked for again by their dialogs.
          onRetry={may('write') && derivation.step === 'phase' ? () => phase.mutate({ id: file.id }) : undefined}
          isRetrying={phase.isPending}
          onChange={may('write') ? () => modal.open(dialog, file.id) : undefined}
        />
        {phase.error && <ErrorNotice error={phase.error} />}
      </>
    );
  if (derivation.file === null) return null;
  return (
    <Notice kind="success">
      {t(`files.${words}.done`)}{' '}
      <Link
        to="/projects/$projectId/files/$fileId"
        params={{ projectId, fileId: derivation.file.id }}
        className="hx-link"
      >
        {derivation.file.name}
      </Link>
      {derivation.renames && <Renames name={derivation.file.name} renames={derivation.renames} />}
    </Notice>
  );
}

type Rename = NonNullable<Derivation['renames']>[number];

/** Every name that a conversion replaced. */
function Renames({ name, renames }: { name: string; renames: Rename[] }) {
  const { t } = useTranslation();
  const columns = useMemo(
    (): DataColumn<Rename>[] => [
      { id: 'from', header: t('files.convert.from'), value: ({ from }) => from },
      { id: 'to', header: t('files.convert.to'), value: ({ to }) => to, narrow: true },
    ],
    [t],
  );
  const isCut = renames.length >= MAX_LISTED_RENAMES;
  return (
    <details>
      <summary>
        {t(isCut ? 'files.convert.replacedFirst' : 'files.convert.replaced', { count: renames.length })}
      </summary>
      <DataTable
        id="replaced-names"
        label={t('files.convert.renames')}
        columns={columns}
        rows={renames}
        rowId={({ from }) => from}
        csvName={`${name} ${t('files.convert.renames')}`}
        maxHeight="18rem"
      />
    </details>
  );
}

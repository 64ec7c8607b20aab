import type { ListKind } from '@heterosis/contracts/data/lists';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMayWrite } from '../../people/projects/index.ts';
import { KeepListDialog } from './keep-list-dialog.tsx';

/** Keeps chosen lines or markers as a list of the project. Nothing for those who may only read. */
export function KeepAsList(props: { projectId: string; kind: ListKind; names: Iterable<string>; label?: string }) {
  const { projectId, kind, names, label } = props;
  const { t } = useTranslation();
  const mayWrite = useMayWrite(projectId);
  const [isOpen, setOpen] = useState(false);
  if (!mayWrite) return null;
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
        {label ?? t('lists.keep')}
      </Button>
      {isOpen && <KeepListDialog projectId={projectId} kind={kind} names={[...names]} close={() => setOpen(false)} />}
    </>
  );
}

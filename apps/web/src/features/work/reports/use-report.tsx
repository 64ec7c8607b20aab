import { Menu } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReportedThing } from './report-dialog.tsx';

const ReportDialog = lazy(async () => ({ default: (await import('./report-dialog.tsx')).ReportDialog }));

/** What the page of a thing needs to report it: an entry of its menu, and the dialog that it opens. */
export function useReport(thing: ReportedThing): { open: () => void; entry: ReactNode; dialog: ReactNode } {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const open = (): void => setOpen(true);
  return {
    open,
    entry: <Menu.Item onClick={open}>{t('report.menu')}</Menu.Item>,
    dialog: isOpen && (
      <Suspense>
        <ReportDialog {...thing} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  };
}

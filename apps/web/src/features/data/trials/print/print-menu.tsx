import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldBookDialog } from './field-book-dialog.tsx';
import { LabelsDialog } from './labels-dialog.tsx';
import type { PrintProps } from './print-props.ts';

/** What of a trial goes to the field on paper. */
export function PrintMenu(props: PrintProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'book' | 'labels'>();
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default">{t('print.open')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('book')}>{t('print.book')}</Menu.Item>
          <Menu.Item onClick={() => setOpen('labels')}>{t('print.labels')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'book' && <FieldBookDialog {...props} close={close} />}
      {open === 'labels' && <LabelsDialog {...props} close={close} />}
    </>
  );
}

import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useModal } from '../../../lib/browser/modal.ts';

/** Below a list: the way to what was deleted from it. */
export function BinLink() {
  const { t } = useTranslation();
  const modal = useModal();
  return (
    <Button
      variant="transparent"
      size="compact-sm"
      px={0}
      fw={400}
      c="dimmed"
      style={{ alignSelf: 'flex-start' }}
      onClick={() => modal.open('bin')}
    >
      {t('bin.menu')}
    </Button>
  );
}

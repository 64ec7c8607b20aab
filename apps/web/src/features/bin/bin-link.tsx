import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useModal } from '../../lib/modal.ts';

/** Below a list: the way to what was deleted from it. */
export function BinLink() {
  const { t } = useTranslation();
  const modal = useModal();
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      style={{ alignSelf: 'flex-start' }}
      onClick={() => modal.open('bin')}
    >
      {t('bin.menu')}
    </Button>
  );
}

import { Drawer } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconMenu2 } from '../../../components/icons.tsx';
import classes from './navigation-drawer.module.css';
import { NavigationContent } from './side-navigation.tsx';

/** Below 768 px the side navigation opens over the page. */
export function NavigationDrawer() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={t('header.openNavigation')} className={classes.button ?? ''} onClick={() => setOpen(true)}>
        <IconMenu2 size={20} />
      </IconButton>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        size="17rem"
        padding="sm"
        title={t('header.navigation')}
        attributes={{ header: { role: 'presentation' } }}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        <NavigationContent onNavigate={() => setOpen(false)} />
      </Drawer>
    </>
  );
}

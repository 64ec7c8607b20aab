import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './picker.module.css';

/** Below a list from which one thing is picked. */
export function PickerButtons<Item>(props: {
  chosen: Item | undefined;
  onSelect: (item: Item) => void;
  onClose: () => void;
}) {
  const { chosen, onSelect, onClose } = props;
  const { t } = useTranslation();
  return (
    <div className={classes.buttons}>
      <Button variant="default" onClick={onClose}>
        {t('action.cancel')}
      </Button>
      <Button disabled={!chosen} onClick={() => chosen && onSelect(chosen)}>
        {t('action.select')}
      </Button>
    </div>
  );
}

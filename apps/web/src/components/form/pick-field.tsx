import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconFolderSearch } from '../icons.tsx';
import { IconButton } from './icon-button.tsx';
import classes from './picker.module.css';

export interface PickOption {
  id: string;
  name: string;
  /** What tells it from others of a similar name: size, age, why it cannot be chosen. */
  note: ReactNode;
  isDisabled: boolean;
}

/** As many are drawn at once; what is typed narrows them. */
const SHOWN = 100;

/** A field of a dialog that is typed into or chosen from, with the way to the dialog that shows folders. */
export function PickField(props: {
  label: string;
  /** Said below the input. */
  description?: string | undefined;
  /** Undefined while they are being read. */
  options: readonly PickOption[] | undefined;
  value: { id: string; name: string } | undefined;
  onChange: (id: string) => void;
  /** Where the field may be empty. */
  onClear?: (() => void) | undefined;
  /** Said as long as nothing is chosen. */
  placeholder: string;
  nothingFound: string;
  browseLabel: string;
  onBrowse: () => void;
  error?: ReactNode;
}) {
  const { options = [], value, onClear } = props;
  const { t } = useTranslation();
  // What was chosen stays readable also where the list has it no more, or not yet.
  const isListed = value === undefined || options.some(({ id }) => id === value.id);
  const all = isListed ? options : [{ id: value.id, name: value.name, note: '', isDisabled: false }, ...options];
  const byId = new Map(all.map((one) => [one.id, one]));
  return (
    <div className={classes.field}>
      <Select
        className={classes.select ?? ''}
        label={props.label}
        description={props.description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={props.placeholder}
        data={all.map(({ id, name, isDisabled }) => ({ value: id, label: name, disabled: isDisabled }))}
        renderOption={({ option }) => (
          <span className={classes.option}>
            <span className={classes.optionName}>{option.label}</span>
            <span className={classes.optionNote}>{byId.get(option.value)?.note}</span>
          </span>
        )}
        value={value?.id ?? null}
        onChange={(id) => (id === null ? onClear?.() : props.onChange(id))}
        searchable
        allowDeselect={false}
        clearable={onClear !== undefined}
        clearButtonProps={{ 'aria-label': t('action.clear', { what: props.label }) }}
        limit={SHOWN}
        nothingFoundMessage={props.nothingFound}
        error={props.error}
        maxDropdownHeight={280}
      />
      <IconButton label={props.browseLabel} size={36} variant="default" onClick={props.onBrowse}>
        <IconFolderSearch size={18} />
      </IconButton>
    </div>
  );
}

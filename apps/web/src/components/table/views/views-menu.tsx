import type { TableView, ViewContent } from '@heterosis/contracts/people/table-views';
import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../../lib/api/problem.ts';
import { showToast } from '../../../lib/browser/toast.ts';
import { guestProject } from '../../../lib/session/browser-session.ts';
import { ConfirmDialog } from '../../dialog/confirm-dialog.tsx';
import { IconButton } from '../../form/icon-button.tsx';
import { IconBookmark, IconCheck } from '../../icons.tsx';
import type { DataColumn } from '../data-table-model.ts';
import { useTableViewMutations } from './table-views.api.ts';
import type { SavedViews } from './use-saved-view.ts';
import { isChanged } from './view-content.ts';
import { ViewDialog } from './view-dialog.tsx';
import classes from './views-menu.module.css';

interface ViewsMenuProps<Row> {
  /** Name of the table. */
  table: string;
  columns: readonly DataColumn<Row>[];
  saved: SavedViews;
  /** What the table shows now. */
  content: ViewContent;
}

/** The saved views of a table: one is chosen, saved, shared, made the default, deleted. */
export function ViewsMenu<Row>(props: ViewsMenuProps<Row>) {
  const { projectId, rights, views } = props.saved;
  if (projectId === undefined) return null;
  // A guest to whom nothing is shared can do nothing here. For others its place is kept while views are read.
  if (guestProject() !== undefined && views.length === 0) return null;
  return <Views {...props} projectId={projectId} rights={rights ?? NO_RIGHTS} />;
}

const NO_RIGHTS = { may_save: false, may_share: false, may_set_default: false };

function Views<Row>(props: ViewsMenuProps<Row> & { projectId: string; rights: NonNullable<SavedViews['rights']> }) {
  const { projectId, rights, table, columns, content, saved } = props;
  const { views, view, show } = saved;
  const { t } = useTranslation();
  const { update, remove } = useTableViewMutations(projectId);
  const [dialog, setDialog] = useState<'new' | 'edit' | 'delete'>();
  const close = (): void => setDialog(undefined);
  const isDirty = view !== undefined && isChanged(view.content, content, columns);
  const saveChanges = async (): Promise<void> => {
    if (view === undefined) return;
    try {
      await update.mutateAsync({ id: view.id, content });
      showToast({ text: t('tableViews.saved', { name: view.name }) });
    } catch (error) {
      showToast({ text: asProblem(error).message, isError: true });
    }
  };
  const mine = views.filter((one) => !one.is_shared);
  const shared = views.filter((one) => one.is_shared);
  const entries = (some: readonly TableView[]) =>
    some.map((one) => (
      <Entry
        key={one.id}
        label={one.name}
        note={one.is_default ? t('tableViews.isDefault') : undefined}
        isShown={one === view}
        onClick={() => show(one)}
      />
    ));
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          {view ? (
            <Button
              size="compact-sm"
              variant="subtle"
              className={classes.name ?? ''}
              aria-label={t(isDirty ? 'tableViews.changedNamed' : 'tableViews.named', { name: view.name })}
              leftSection={<IconBookmark size={16} />}
            >
              {view.name}
              {isDirty && <span className={classes.changed}>{t('tableViews.changed')}</span>}
            </Button>
          ) : (
            <IconButton label={t('tableViews.title')}>
              <IconBookmark size={18} />
            </IconButton>
          )}
        </Menu.Target>
        <Menu.Dropdown aria-label={t('tableViews.title')}>
          <Entry label={t('tableViews.standard')} isShown={view === undefined} onClick={() => show(undefined)} />
          {mine.length > 0 && <Menu.Label>{t('tableViews.mine')}</Menu.Label>}
          {entries(mine)}
          {shared.length > 0 && <Menu.Label>{t('tableViews.shared')}</Menu.Label>}
          {entries(shared)}
          {(rights.may_save || isDirty) && <Menu.Divider />}
          {isDirty && view.may_change && (
            <Menu.Item onClick={() => void saveChanges()}>{t('tableViews.saveChanges', { name: view.name })}</Menu.Item>
          )}
          {isDirty && <Menu.Item onClick={() => show(view)}>{t('tableViews.reset')}</Menu.Item>}
          {rights.may_save && <Menu.Item onClick={() => setDialog('new')}>{t('tableViews.saveNew')}</Menu.Item>}
          {view?.may_change && (
            <>
              <Menu.Item onClick={() => setDialog('edit')}>{t('tableViews.edit')}</Menu.Item>
              <Menu.Item className="hx-danger" onClick={() => setDialog('delete')}>
                {t('tableViews.delete')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {(dialog === 'new' || (dialog === 'edit' && view)) && (
        <ViewDialog
          {...{ projectId, rights, table, content, close }}
          view={dialog === 'edit' ? view : undefined}
          onSaved={(one) => {
            if (dialog === 'new') show(one);
          }}
        />
      )}
      {dialog === 'delete' && view && (
        <ConfirmDialog
          title={t('tableViews.deleteTitle', { name: view.name })}
          confirmLabel={t('action.delete')}
          onConfirm={async () => {
            await remove.mutateAsync(view.id);
            show(undefined);
          }}
          onClose={close}
        >
          {t(view.is_shared ? 'tableViews.deleteShared' : 'tableViews.deleteOwn')}
        </ConfirmDialog>
      )}
    </>
  );
}

function Entry(props: { label: string; note?: string | undefined; isShown: boolean; onClick: () => void }) {
  const { label, note, isShown, onClick } = props;
  return (
    <Menu.Item
      aria-current={isShown || undefined}
      leftSection={isShown ? <IconCheck size={16} /> : <span className={classes.noCheck} />}
      rightSection={note && <span className="hx-muted">{note}</span>}
      onClick={onClick}
    >
      <span className={classes.label}>{label}</span>
    </Menu.Item>
  );
}

import { Menu, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconChevronDown } from '../../../components/icons.tsx';
import { showToast } from '../../../lib/browser/toast.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { projectQuery, projectsQuery } from '../../people/projects/index.ts';
import classes from './side-navigation.module.css';

/** With more projects than this the menu has a field that narrows them. */
const FEW = 8;

/** Name of the project; a click offers the others, and its id for the API. */
export function ProjectSwitcher({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const { data: project } = useQuery(projectQuery(projectId));
  const { data: projects = [] } = useQuery(projectsQuery());
  const wanted = search.trim().toLocaleLowerCase();
  const shown = projects.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  const name = project?.name ?? '…';
  return (
    <Menu position="bottom-start" width={260} onClose={() => setSearch('')}>
      <Menu.Target>
        <button type="button" className={classes.switcher} title={name}>
          <span className={classes.initial} aria-hidden="true">
            {[...name][0]?.toLocaleUpperCase()}
          </span>
          <span className={classes.switcherText}>
            <span className={classes.switcherName}>{name}</span>
          </span>
          <IconChevronDown size={16} aria-hidden="true" className={classes.chevron} />
          <span className="hx-visually-hidden">{t('nav.switchProject')}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item renderRoot={(props) => <Link to="/projects" {...props} />}>
          {t('nav.projectList')}
          {projects.length > FEW && ` (${formatCount(projects.length)})`}
        </Menu.Item>
        <Menu.Divider />
        {projects.length > FEW && (
          <TextInput
            m="xs"
            size="xs"
            data-autofocus
            aria-label={t('nav.findProject')}
            placeholder={t('nav.findProject')}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <div className={classes.projects}>
          {shown.length === 0 && wanted !== '' && <Menu.Label>{t('nav.noProject')}</Menu.Label>}
          {shown.map((one) => (
            <Menu.Item
              key={one.id}
              fw={one.id === projectId ? 600 : 400}
              renderRoot={(props) => (
                <Link to="/projects/$projectId" params={{ projectId: one.id }} activeProps={{}} {...props} />
              )}
            >
              {one.name}
            </Menu.Item>
          ))}
        </div>
        <Menu.Divider />
        <Menu.Item
          onClick={() =>
            void navigator.clipboard.writeText(projectId).then(() => showToast({ text: t('nav.idCopied') }))
          }
        >
          {t('nav.copyId')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

import type { ChartColors } from '@heterosis/charts/chart-colors';
import { colorOfGroup, type FieldLayer, groupsOf, scaleOf } from '@heterosis/charts/field/field-layers';
import { useTranslation } from 'react-i18next';
import classes from './field-map.module.css';

/** More groups are not told apart by their colours. */
const MOST_NAMED = 12;

/** What the colours of a map mean. */
export function FieldLegend({ layer, colors }: { layer: FieldLayer; colors: ChartColors }) {
  const { t } = useTranslation();
  if (layer.kind === 'group') {
    const groups = groupsOf(layer.groups);
    return (
      <ul className={classes.groups} aria-label={layer.title}>
        {groups.slice(0, MOST_NAMED).map((group, place) => (
          <li key={group}>
            <span className={classes.swatch} style={{ background: colorOfGroup(layer, group, place, colors) }} />
            {group}
          </li>
        ))}
        {groups.length > MOST_NAMED && <li>{t('fieldMap.moreGroups', { count: groups.length - MOST_NAMED })}</li>}
      </ul>
    );
  }
  const { min, max, isDiverging, isCut } = layer.range;
  const [least, most] = isCut ? ['≤ ', '≥ '] : ['', ''];
  return (
    <div className={classes.legend}>
      <span>
        {least}
        {layer.format(min)}
      </span>
      <span
        className={classes.ramp}
        style={{ backgroundImage: `linear-gradient(to right, ${scaleOf(isDiverging, colors).join(', ')})` }}
      />
      <span>
        {most}
        {layer.format(max)}
      </span>
    </div>
  );
}

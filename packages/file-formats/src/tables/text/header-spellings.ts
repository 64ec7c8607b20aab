import { headerKey } from './cell-values.ts';
import { PARENT_WORDS, type ParentSide, parentIdKeys, parentKeys } from './parent-words.ts';

/** Headers of the names of lines, the same in every table. */
const LINES =
  'individual individualName germplasmName accession_name accessionName ACCENAME lineName line genotype genotypeName germplasm accession variety cultivar clone designation Linie Sorte Genotyp Prüfglied Pruefglied Stamm Akzession Bezeichnung lignée variété génotype individu línea variedad genotipo individuo accesión linhagem variedade acesso cultivar_name variety_name entry_name ind';

export type SpelledTable = 'phenotype' | 'linkageMap' | 'crossingTable' | 'germplasm' | 'entries' | 'plotValues';

/**
 * Headers by the column that they name, collected from programs of the field: texts of spellings separated by blanks,
 * earlier ones first where a file has several. This is the only list of them: all readers, the guess of a file's type
 * and `docs/formats.md` take them from here. Those of parents combine the words of {@link PARENT_WORDS}.
 */
export const HEADER_SPELLINGS: Readonly<Record<SpelledTable, Readonly<Record<string, string>>>> = {
  phenotype: {
    individual: `${LINES} taxa taxon <Trait> sampleName sample name hybrid inbred entry id lineId sampleId individualId accessionId seedName seedId entrada gen geno`,
    environment:
      'env environment environmentName study studyName trial trialName experiment trial_instance Umwelt Versuch essai ensayo ambiente',
    location:
      'location locationName loc site place env_location Ort Standort Prüfort lieu localité localidad lugar local',
    year: 'year season env_year studyYear Jahr Erntejahr année campagne año campaña',
    treatment: 'treatment Behandlung traitement tratamiento tratamento',
    replicate: 'rep replicate replication exp_replicate_# rep_no Wdh Wiederholung répétition repetición repetição',
    block: 'block blk exp_block_# blockNumber block_no bloc bloque bloco',
    row: 'row rowNumber row_no Reihe Zeile rang fila linha_no',
    column: 'column col range colNumber columnNumber col_no Spalte colonne columna',
    plot: 'plot plot_name observationunit_name observationUnitName plotid ObsUnitID plotNumber plot_no Parzelle Parzellennummer parcelle parcela',
    plant: 'plant_name plant plantNumber plant_no plant_id Pflanze Pflanzennummer plante planta',
    sowing:
      'sowing_date sowing sowingDate planting_date plantingDate date_of_sowing date_of_planting Aussaat Aussaatdatum Aussaattermin Saatdatum Saattermin Saat date_de_semis date_semis semis fecha_de_siembra fecha_siembra siembra data_de_semeadura data_de_plantio plantio',
    check: 'entryType Test(T)OrCheck(C) testOrCheck checkOrTest isCheck check kind plotKind is_a_control',
    trait: 'trait traitName variable observationVariableName variableName Merkmal caractère carácter',
    value: 'value observationValue phenotypeValue Wert Messwert valeur valor',
    timestamp: 'timestamp observationTimeStamp datetime date',
  },
  linkageMap: {
    marker:
      'SNPid snp marker markerName markerId snpName id rs rs# variant variantName variantId locus name Markername marqueur marcador',
    chromosome:
      'chr chrom chromosome #CHROM #chr linkageGroup linkageGroupName lg group Chromosom Kopplungsgruppe groupe_de_liaison cromosoma grupo_de_ligamiento cromossomo',
    basePairs: 'physPos position_bp pos_bp bp physical_position physical_pos position_physique posición_física',
    /** A unit may follow each; `position` and `pos` alone hold base pairs where the numbers are large. */
    mapPosition:
      'linkMapPos genetic_position gmap map_position genetic_distance genetic_pos Kartenposition position_génétique posición_genética position pos',
  },
  crossingTable: {
    // Names before numbers: in a file with both, the number is used only where the name is missing.
    female: PARENT_WORDS.female,
    male: PARENT_WORDS.male,
    parent3: 'parent3 p3 third_parent Elter3 progenitor3',
    parent4: 'parent4 p4 fourth_parent Elter4 progenitor4',
    name: 'cross_unique_id crossName cross name offspring progeny family crossId Kreuzung Kreuzungsname Nachkommen croisement nom cruce cruza cruzamiento cruzamento familie famille familia',
    progeny:
      'n nProgeny progeny_number number_of_progeny progeny_count count wishMin Anzahl Anzahl_Nachkommen Nachkommenzahl effectif nombre_de_descendants cantidad número número_de_progenies quantidade',
    type: 'type cross_type wishType Typ Kreuzungstyp type_de_croisement tipo tipo_de_cruza',
  },
  germplasm: {
    /** `id` last: beside a name it is a number of a program. */
    name: `name ${LINES} progeny_name progeny nom nombre nome Nachkomme id`,
    /** MCPD: the number stands in where an accession has no name. */
    accessionNumber: 'ACCENUMB accessionNumber',
    collection:
      'collection population populationName family family_name panel group Sammlung Kollektion Familie famille colección población familia coleção população',
    female: PARENT_WORDS.female,
    male: PARENT_WORDS.male,
    synonyms: 'synonyms synonym synonym(s) aliases alias other_names Synonyme synonymes sinónimos sinónimo sinônimos',
    otherNumbers: 'OTHERNUMB',
    crossType: 'cross_type crossType type Kreuzungstyp type_de_croisement tipo_de_cruza',
    generation: 'selfing_generations generation filial_generation génération generación geração',
    crop: 'crop commonCropName crop_name CROPNAME',
    entryNo: 'entryNo',
    femaleEntry: 'femaleEntryNo femaleParentEntryNo',
    maleEntry: 'maleEntryNo maleParentEntryNo',
    /** Helium: one row per parent. */
    parent: 'parent parentName',
    parentKind: 'parentType parent_type relationship',
    /** MCPD: ANCEST. */
    purdy: 'pedigree purdy purdyPedigree pedigreeString purdyString ANCEST parentage Abstammung',
  },
  entries: {
    // Names before numbers: lists of entries often have both.
    name: `name ${LINES} treatment Behandlung traitement tratamiento tratamento entry entrada`,
    replicates: 'replicates reps rep replications replicate Wdh Wiederholungen répétitions repeticiones repetições',
    family: 'family family_name Familie famille familia família cross population',
  },
  /** Values of the plots of a trial; columns that phenotype files have too go by the spellings there. */
  plotValues: {
    plotId: 'plot_id plotid observationUnitDbId ObsUnitID obs_unit_id unique_id uniqueid unit_id barcode',
    plotName: 'plot_name plotName observationUnitName observationunit_name unit_name',
    plotNumber: 'plot plotNumber plot_number plot_no Parzelle Parzellennummer parcelle parcela',
    person:
      'person collector collectedBy operator observer scorer recorder technician Bearbeiter observateur observador',
  },
};

const known = new Map<string, readonly string[]>();

/**
 * Keys of the headers of a column, see {@link headerKey}, the preferred first. A crossing table also has the numbers of
 * parents in other programs.
 */
export function headersOf(table: SpelledTable, role: string): readonly string[] {
  const place = `${table} ${role}`;
  let keys = known.get(place);
  if (keys === undefined) {
    const spellings = HEADER_SPELLINGS[table][role];
    if (spellings === undefined) throw new TypeError(`There is no column ${role} in the table ${table}`);
    keys = isSide(role)
      ? [...parentKeys(role), ...(table === 'crossingTable' ? parentIdKeys(role) : [])]
      : headerKeys(spellings);
    known.set(place, keys);
  }
  return keys;
}

const isSide = (role: string): role is ParentSide => role === 'female' || role === 'male';

/** Spellings separated by blanks, as keys to compare headers with. */
export const headerKeys = (...spellings: string[]): string[] => [
  ...new Set(spellings.join(' ').split(' ').map(headerKey)),
];

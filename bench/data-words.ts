/** The words in documents of `npm run bench:data`. */
export const FIRST_NAMES = words(
  'Nordlicht, Müller, Søndergaard, Lefèvre, O’Neill, Kowalski, García, Hansen, Blue Harbor, ' +
    'Alpine, Österreicher, Van der Berg, Rossi, Tanaka, Silva, Novák, Globex, Initech, Umbra, ' +
    'Vertex, Quantum, Juniper, Falcon, Cedar',
);
export const TRADES = words(
  'Logistik, Consulting, Software, Bau, Medien, Foods, Energy, Textil, Pharma, Robotics, Travel, ' +
    'Design, Motors, Optics, Records, Gartenbau, Security, Cargo',
);
export const FORMS = words('GmbH, AG, Ltd, SARL, S.A., B.V., ApS, Inc., KG, e.K.');
export const CITIES = words('Berlin, Wien, Zürich, Lyon, København, Kraków, Porto, Gent');
export const COUNTRIES = words('DE, AT, CH, FR, DK, PL, PT, BE');
export const GOODS = words(
  'Consulting by a senior engineer, Consulting on project management, Workshop on site, ' +
    'Hosting plan M, Hosting plan L, Support contract, Licence per seat, Freight and packaging, ' +
    'Maintenance visit, Training day, Design revision, Spare parts set, Network switch with 24 ports, ' +
    'Office chair in black, Printed catalogue, Data migration, Translation per page, Photography, ' +
    'Electricity per kWh, Share of the insurance',
);

function words(text: string): string[] {
  return text.split(', ');
}

const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

const PROPERTIES = [
  ['DocumentFileName', 'The name of the embedded XML document'],
  ['DocumentType', 'The type of the hybrid document in capital letters, such as INVOICE'],
  ['Version', 'The version of the standard that the embedded XML document follows'],
  ['ConformanceLevel', 'The conformance level of the embedded XML document'],
];

/** PDF/A wants every unknown name explained. */
const EXTENSION = `<rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
${PROPERTIES.map(
  ([name, description]) => `<rdf:li rdf:parseType="Resource">
<pdfaProperty:name>${name}</pdfaProperty:name>
<pdfaProperty:valueType>Text</pdfaProperty:valueType>
<pdfaProperty:category>external</pdfaProperty:category>
<pdfaProperty:description>${description}</pdfaProperty:description>
</rdf:li>`,
).join('\n')}
</rdf:Seq></pdfaSchema:property>
</rdf:li>
`;

const EXTENSIONS_END = '</rdf:Bag></pdfaExtension:schemas>';
const FACTS_END = '</rdf:RDF>';

/** The facts that a file tells of itself, with those of the invoice in it. */
export function withInvoiceFacts(xmp: string, fileName: string): string {
  if (!xmp.includes(EXTENSIONS_END) || !xmp.includes(FACTS_END))
    throw new Error('the facts of the PDF are not as we write them');
  const facts = `<rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">
<fx:DocumentType>INVOICE</fx:DocumentType>
<fx:DocumentFileName>${fileName}</fx:DocumentFileName>
<fx:Version>1.0</fx:Version>
<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
</rdf:Description>
`;
  return xmp
    .replace(EXTENSIONS_END, EXTENSION + EXTENSIONS_END)
    .replace(FACTS_END, facts + FACTS_END);
}

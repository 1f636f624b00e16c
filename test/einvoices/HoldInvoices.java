import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.XPathCompiler;
import net.sf.saxon.s9api.XdmDestination;
import net.sf.saxon.s9api.XdmItem;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.Xslt30Transformer;
import net.sf.saxon.s9api.XsltExecutable;

/**
 * Holds invoices against schemas (.xsd) and compiled Schematron (.xslt), with one start of Java for
 * all. The first argument is a file with a line for each check: rules, a tab, invoice. A line of
 * output is a failed assert: invoice, rules, id, severity, place, sentence, with tabs between.
 */
public class HoldInvoices {
  private static final Processor PROCESSOR = new Processor(false);
  private static final String SVRL = "http://purl.oclc.org/dsdl/svrl";

  public static void main(String[] arguments) throws Exception {
    Map<String, List<String>> invoices = new LinkedHashMap<>();
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      String[] check = line.split("\t");
      invoices.computeIfAbsent(check[0], rules -> new ArrayList<>()).add(check[1]);
    }
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    List<Future<String>> told = new ArrayList<>();
    try {
      for (Map.Entry<String, List<String>> entry : invoices.entrySet()) {
        String rules = entry.getKey();
        Holder holder = rules.endsWith(".xsd") ? schema(rules) : schematron(rules);
        for (String invoice : entry.getValue()) told.add(threads.submit(() -> hold(holder, rules, invoice)));
      }
      for (Future<String> one : told) out.print(one.get());
    } finally {
      // Else its threads would keep a failure waiting for ever.
      threads.shutdownNow();
    }
    out.println("held\t" + told.size());
    out.flush();
  }

  private interface Holder {
    List<String[]> failed(File invoice) throws Exception;
  }

  private static String hold(Holder holder, String rules, String invoice) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (String[] failed : holder.failed(new File(invoice))) {
      lines.append(String.join("\t", invoice, rules, String.join("\t", failed))).append('\n');
    }
    return lines.toString();
  }

  private static Holder schema(String path) throws Exception {
    Schema schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(new File(path));
    return invoice -> {
      List<String[]> failed = new ArrayList<>();
      try {
        schema.newValidator().validate(new StreamSource(invoice));
      } catch (org.xml.sax.SAXException error) {
        failed.add(new String[] {"XSD", "fatal", "", plain(error.getMessage())});
      }
      return failed;
    };
  }

  private static Holder schematron(String path) throws Exception {
    XsltExecutable rules = PROCESSOR.newXsltCompiler().compile(new StreamSource(new File(path)));
    return invoice -> {
      XdmNode source = PROCESSOR.newDocumentBuilder().build(new StreamSource(invoice));
      Xslt30Transformer transformer = rules.load30();
      transformer.setGlobalContextItem(source);
      XdmDestination report = new XdmDestination();
      transformer.applyTemplates(source, report);
      XPathCompiler paths = PROCESSOR.newXPathCompiler();
      paths.declareNamespace("svrl", SVRL);
      List<String[]> failed = new ArrayList<>();
      for (XdmItem item : paths.evaluate("//svrl:failed-assert | //svrl:successful-report", report.getXdmNode())) {
        XdmNode one = (XdmNode) item;
        String severity = attribute(one, "flag");
        failed.add(
            new String[] {
              attribute(one, "id"),
              severity.isEmpty() ? attribute(one, "role") : severity,
              plain(attribute(one, "location")),
              plain(one.getStringValue())
            });
      }
      return failed;
    };
  }

  private static String attribute(XdmNode node, String name) {
    String value = node.getAttributeValue(new QName(name));
    return value == null ? "" : value;
  }

  private static String plain(String text) {
    return text.replaceAll("\\s+", " ").trim();
  }
}

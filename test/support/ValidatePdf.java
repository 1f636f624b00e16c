import java.io.FileInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.logging.LogManager;
import javax.xml.parsers.DocumentBuilderFactory;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;
import org.verapdf.pdfa.validation.profiles.ErrorArgument;
import org.verapdf.pdfa.validation.profiles.Profiles;
import org.verapdf.pdfa.validation.profiles.Rule;
import org.verapdf.pdfa.validation.profiles.ValidationProfile;
import org.verapdf.pdfa.validation.profiles.Variable;
import org.verapdf.pdfa.validation.validators.ValidatorFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Holds PDF files against the profiles of veraPDF, the reference validator of PDF/A and PDF/UA.
 * Its own reader of profiles needs a library that Java has no longer; here they are read without.
 * Arguments: profiles with commas ("PDFA-3A,PDFUA-1"), then files. One line a profile and file.
 */
public class ValidatePdf {
  public static void main(String[] arguments) throws Exception {
    LogManager.getLogManager().reset();
    VeraGreenfieldFoundryProvider.initialise();
    for (String name : arguments[0].split(",")) {
      ValidationProfile profile = profile(name);
      for (int at = 1; at < arguments.length; at++) validate(arguments[at], name, profile);
    }
  }

  private static void validate(String file, String name, ValidationProfile profile)
      throws Exception {
    try (InputStream in = new FileInputStream(file);
        PDFAParser parser =
            Foundries.defaultInstance().createParser(in, profile.getPDFAFlavour());
        PDFAValidator validator =
            ValidatorFactory.createValidator(profile, 1000, false, true, false)) {
      ValidationResult result = validator.validate(parser);
      String verdict = result.isCompliant() ? "compliant" : "broken";
      System.out.println(
          String.join("\t", verdict, name, file, String.valueOf(result.getTotalAssertions())));
      Set<String> told = new LinkedHashSet<>();
      for (TestAssertion assertion : result.getTestAssertions()) {
        if (assertion.getStatus() != TestAssertion.Status.FAILED) continue;
        String rule = assertion.getRuleId().getClause() + "-" + assertion.getRuleId().getTestNumber();
        if (!told.add(rule)) continue;
        System.out.println(
            String.join("\t", "failed", rule, assertion.getMessage(), assertion.getLocation().getContext()));
      }
    }
  }

  private static ValidationProfile profile(String name) throws Exception {
    String path = "/org/verapdf/pdfa/validation/" + name + ".xml";
    try (InputStream in = Profiles.class.getResourceAsStream(path)) {
      Element root =
          DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in).getDocumentElement();
      Set<Rule> rules = new LinkedHashSet<>();
      for (Element rule : children(root, "rule")) rules.add(rule(rule));
      Set<Variable> variables = new LinkedHashSet<>();
      for (Element variable : children(root, "variable")) {
        variables.add(
            Profiles.variableFromValues(
                variable.getAttribute("name"),
                variable.getAttribute("object"),
                text(variable, "defaultValue"),
                text(variable, "value")));
      }
      return Profiles.profileFromValues(
          PDFAFlavour.valueOf(root.getAttribute("flavour")),
          Profiles.profileDetailsFromValues(name, name, "veraPDF", new Date(0)),
          "",
          rules,
          variables);
    }
  }

  private static Rule rule(Element rule) {
    Element id = children(rule, "id").get(0);
    List<ErrorArgument> none = new ArrayList<>();
    return Profiles.ruleFromValues(
        Profiles.ruleIdFromValues(
            PDFAFlavour.Specification.valueOf(id.getAttribute("specification")),
            id.getAttribute("clause"),
            Integer.parseInt(id.getAttribute("testNumber"))),
        rule.getAttribute("object"),
        rule.hasAttribute("deferred") ? Boolean.valueOf(rule.getAttribute("deferred")) : null,
        rule.getAttribute("tags"),
        text(rule, "description"),
        text(rule, "test"),
        Profiles.errorFromValues(text(rule, "message"), none),
        new ArrayList<>());
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    NodeList all = parent.getElementsByTagName(name);
    for (int at = 0; at < all.getLength(); at++) found.add((Element) all.item(at));
    return found;
  }

  private static String text(Element parent, String name) {
    List<Element> found = children(parent, name);
    return found.isEmpty() ? "" : found.get(0).getTextContent();
  }
}

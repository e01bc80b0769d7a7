import { Argument, Command } from "commander";
import { print } from "./output.ts";

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof SHELLS;

/** The words that may follow some words of a command line: `keys` → its subcommands and options. */
interface Completion {
  path: string;
  words: { word: string; about: string }[];
}

export function completionCommand(): Command {
  return new Command("completion")
    .description("Print a script that completes commands and options in your shell.")
    .addArgument(new Argument("<shell>").choices(Object.keys(SHELLS)))
    .addHelpText(
      "after",
      [
        "\nExamples:",
        "  source <(parley completion bash)          # in ~/.bashrc",
        "  source <(parley completion zsh)           # in ~/.zshrc, after compinit",
        "  parley completion fish | source           # in ~/.config/fish/config.fish",
      ].join("\n"),
    )
    .action((shell: Shell, _options: object, command: Command) =>
      print(SHELLS[shell](completionsOf(command.parent ?? command))),
    );
}

function completionsOf(command: Command, path: readonly string[] = []): Completion[] {
  const words = [
    ...command.commands.map((child) => ({ word: child.name(), about: child.description() })),
    ...[...command.options, { long: "--help", description: "show the options" }].flatMap(({ long, description }) =>
      long ? [{ word: long, about: description }] : [],
    ),
  ];
  return [
    { path: path.join(" "), words },
    ...command.commands.flatMap((child) => completionsOf(child, [...path, child.name()])),
  ];
}

function bashScript(completions: readonly Completion[]): string {
  const paths = completions.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  const cases = completions.map(
    ({ path, words }) => `    "${path}") words="${words.map(({ word }) => word).join(" ")}" ;;`,
  );
  return `_parley_completion() {
  local path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
    ${paths.join("|")}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _parley_completion parley`;
}

function zshScript(completions: readonly Completion[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(completions)}`;
}

function fishScript(completions: readonly Completion[]): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const paths = completions.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  const lines = completions.flatMap(({ path, words }) =>
    words.map(({ word, about }) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c parley -n ${quoted(`__parley_at ${quoted(path)}`)} ${what} -d ${quoted(about)}`;
    }),
  );
  return `function __parley_at
  set -l path ""
  for word in (commandline -opc)[2..]
    set -l longer (string trim -- "$path $word")
    if contains -- "$longer" ${paths.join(" ")}
      set path "$longer"
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join("\n")}`;
}

# Completion of coopbench for fish: source it, or put it into ~/.config/fish/completions.
function __coopbench_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] complete $words[2..-1] 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' '')
            case ':folders'
                __fish_complete_directories (commandline -ct | string replace -r '^--[^=]*=' '')
            case '*'
                echo $line
        end
    end
end
complete -c coopbench -f -a '(__coopbench_complete)'

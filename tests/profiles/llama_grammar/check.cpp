// Reads lines of {"schema", "texts"}. For each it writes the grammar that llama.cpp's converter makes of the schema and
// which of the texts the grammar accepts whole: {"grammar", "accepted"}, or {"error"}. `build.sh` builds it.
#include "common.h"
#include "json-schema-to-grammar.h"
#include "llama-impl.h"
#include "llama-vocab.h"
#include "../src/llama-grammar.h"
#include "../src/unicode.h"
#include "nlohmann/json.hpp"

#include <cstdarg>
#include <iostream>

// What the grammar needs of the rest of llama.cpp: nothing, as long as no model is there.
extern "C" void ggml_abort(const char *, int, const char *, ...) { abort(); }
void llama_log_internal(ggml_log_level, const char *, ...) {}
bool llama_vocab::is_eog(llama_token) const { return false; }
const std::string & llama_vocab::token_to_piece(llama_token) const { static std::string none; return none; }
int32_t llama_vocab::tokenize(const char *, int32_t, llama_token *, int32_t, bool, bool) const { return 0; }
std::string string_join(const std::vector<std::string> & all, const std::string & between) {
    std::string out;
    for (size_t i = 0; i < all.size(); i++) out += (i ? between : "") + all[i];
    return out;
}
std::string string_repeat(const std::string & one, size_t times) {
    std::string out;
    while (times--) out += one;
    return out;
}
std::vector<std::string> string_split(const std::string & text, const std::string & by) {
    std::vector<std::string> out;
    size_t from = 0, to;
    for (; (to = text.find(by, from)) != std::string::npos; from = to + by.size()) out.push_back(text.substr(from, to - from));
    out.push_back(text.substr(from));
    return out;
}

static bool accepts(const std::string & rules, const std::string & text) {
    auto * grammar = llama_grammar_init_impl(nullptr, rules.c_str(), "root", false, nullptr, 0, nullptr, 0);
    if (!grammar) throw std::runtime_error("the grammar does not parse");
    bool is_open = true, is_end = false;
    for (auto point : unicode_cpts_from_utf8(text)) {
        llama_grammar_accept(grammar, point);
        if (!(is_open = !llama_grammar_get_stacks(grammar).empty())) break;
    }
    if (is_open) for (auto & stack : llama_grammar_get_stacks(grammar)) is_end |= stack.empty();
    llama_grammar_free_impl(grammar);
    return is_end;
}

int main() {
    using json = nlohmann::json;
    std::string line;
    while (std::getline(std::cin, line)) {
        json asked = json::parse(line), out;
        try {
            std::string rules = json_schema_to_grammar(common_json::parse(asked["schema"].dump()), true);
            out["grammar"] = rules;
            out["accepted"] = json::array();
            accepts(rules, "");
            for (auto & text : asked["texts"]) out["accepted"].push_back(accepts(rules, text.get<std::string>()));
        } catch (const std::exception & error) {
            out = {{"error", error.what()}};
        }
        std::cout << out.dump() << std::endl;
    }
}

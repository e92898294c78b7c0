# The project's comments as Doxygen reads them: `//` above a line, `//` behind one, and the header comment of a file.
1s|^// *\([^ :]*\): |/// @file\n/// |
1s|^/\* \([^ :]*\): |/** @file\n * |
# No commands, tags or links are meant in the text.
/\/\/\|^ \*\|\/\*/s/[<>]/\\&/g
s|^\( *\)// ----.*||
s|^/\* ----.*||
s|^\( *\)//\( \)|\1///\2|
s|\([;,{}] *\)// |\1///< |
s|\([a-zA-Z0-9]  *\)// |\1///< |
s|\([;,{]  *\)/\* |\1/**< |
s|^\( *\)/\* |\1/** |
